"""What patches add or take away is no result."""

from __future__ import annotations

PATCH = """
diff --git a/doc.txt b/doc.txt
index 1111111..2222222 100644
--- a/doc.txt
+++ b/doc.txt
@@ -1,2 +1,4 @@
 text
+  read: IOPS=777, BW=4KiB/s (4kB/s)(40KiB/10000msec)
+| a | base | patched |
-  read: IOPS=666, BW=4KiB/s (4kB/s)(40KiB/10000msec)
 text
"""
RUN = "  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n"


def iops(read):
    return [r.value for r in read.report.results if r.metric == "read.iops"]


def test_figures_in_a_hunk_are_not_read(reading):
    assert iops(reading(PATCH)) == []


def test_figures_after_a_hunk_are(reading):
    assert iops(reading(PATCH + RUN)) == [100]


def test_a_hunk_in_a_quotation_is_one_too(reading):
    assert iops(reading("\n".join(f"> {line}" for line in PATCH.split("\n")))) == []


def test_a_hunk_that_was_cut_ends_where_its_author_goes_on(reading):
    cut = "@@ -1,9 +1,9 @@ int f(void)\n \tint a;\n+\tint b;\n\n- Baseline\n\n" + RUN
    assert iops(reading(cut)) == [100]


def test_a_change_of_mode_in_a_diffstat_is_no_claim(reading):
    text = " run.sh | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n mode change 100644 => 100755 run.sh\n"
    assert reading(text).report.claims == ()
