# podman build --format docker -t headlight .
# podman run --read-only --tmpfs /tmp --cap-drop all -p 127.0.0.1:8501:8501 headlight
# Where a host allows fewer open files than podman asks for: --ulimit nofile=1024:1024.
# It needs the network to be built and none to run. Hosts of images that choose the port themselves
# say it in PORT; a name that leads here is added with --server.allowedHosts NAME.
FROM docker.io/library/python:3.13-slim AS packages
COPY requirements.txt requirements.lock /
# torch for processors alone: PyPI brings 3 GB for graphics cards with it, as the lock says.
ARG TORCH=https://download.pytorch.org/whl/cpu
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --no-deps --index-url $TORCH -c /requirements.txt torch
RUN awk '/^[a-z]/ {other = !/^(torch|triton|nvidia|cuda)/} other' /requirements.lock > /cpu.lock
RUN /venv/bin/pip install --no-cache-dir --require-hashes -r /cpu.lock
# --build-arg EXTRAS=redis==8.1.0 for classes that servers on several machines share.
ARG EXTRAS=
RUN if [ -n "$EXTRAS" ]; then /venv/bin/pip install --no-cache-dir $EXTRAS; fi

FROM docker.io/library/python:3.13-slim
COPY --from=packages /venv /venv
WORKDIR /headlight
COPY app.py ./
COPY .streamlit .streamlit
COPY model model
COPY viz viz
COPY checkpoints checkpoints
RUN python -m compileall -q /headlight
ENV PORT=8501 HOME=/tmp OMP_NUM_THREADS=1 MALLOC_ARENA_MAX=2 PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/venv/bin/python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/_stcore/health', timeout=4)"]
# In a container the server listens on the container's own address.
ENTRYPOINT ["/bin/sh", "-c", "exec /venv/bin/python -m streamlit run app.py --server.headless true --server.address 0.0.0.0 --server.port $PORT \"$@\"", "headlight"]
