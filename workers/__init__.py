"""The Celery side: workers that claim runs, execute them on a runner, and store what came out."""
