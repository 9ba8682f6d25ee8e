"""What a run leaves behind: latency histograms in fio's bins, time series, counters."""
