# One image for the web service and the workers; docker-compose.yml says which of them a container is.
FROM node:22-bookworm-slim AS page
WORKDIR /build
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

FROM python:3.11-slim-bookworm AS packages
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /lodestone
COPY requirements/runtime.lock requirements/
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.lock
COPY . .
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation --editable .

FROM python:3.11-slim-bookworm
RUN useradd --system --create-home --home-dir /var/lib/lodestone lodestone
COPY --from=packages /venv /venv
COPY --from=packages /lodestone /lodestone
COPY --from=page /build/dist /lodestone/frontend/dist
WORKDIR /lodestone
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1
USER lodestone
CMD ["python", "-m", "workers.main"]
