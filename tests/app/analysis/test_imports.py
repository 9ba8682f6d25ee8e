from __future__ import annotations

import subprocess
import sys


def test_a_comparison_can_be_imported_without_waiting_for_scipy() -> None:
    code = "import sys, app.analysis.compare, app.analysis.quantile_shift; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"
