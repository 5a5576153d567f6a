# Each target first installs what is missing (scripts/bootstrap), and is quick the second time.
.PHONY: help build install package site demo demo-quake test test-all bench bench-gpu bundle-cuda validate format clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo       Typhoon Yagi from bathymetry to maps: cases/yagi/output'
	@echo 'make demo-quake an earthquake under real relief, from mesh to maps: cases/quake/local-event/output'
	@echo 'make test       build and run the tests, many at once; the slowest are named at the end'
	@echo 'make build      build/release/bin/groundswell, and the tests; run it as ./groundswell'
	@echo 'make install    program, Python tools, libraries, cases and manual into PREFIX=FOLDER'
	@echo 'make package    Debian packages of program and runtime: build/packages'
	@echo 'make site       the manual as pages for a browser, with search: build/site'
	@echo 'make test-all   also long tests, sanitizers, double precision, no PnetCDF, MPICH, clang, 64-bit Arm, fuzzing (hours)'
	@echo 'make bench      measure speed: build/bench'
	@echo 'make bench-gpu  both models on GPUs of NVIDIA: kernels, settings, several GPUs; needs nvcc: build/bench'
	@echo 'make bundle-cuda  a folder with the program for GPUs, which runs where a driver is; needs nvcc: build/bundle-cuda'
	@echo 'make validate   hold the model against analytic solutions and published curves'
	@echo 'make format     bring C++ and Python sources into the form that CI expects'
	@echo 'make clean      delete every build; keep the Python environment'

build:
	@scripts/bootstrap use
	@scripts/build release

PREFIX ?= /usr/local
install: build
	@scripts/install "$(PREFIX)"

package: build
	@scripts/package

site:
	@scripts/site

demo:
	@scripts/demo

demo-quake:
	@scripts/demo-quake

test:
	@scripts/test

test-all:
	@scripts/test all

bench:
	@scripts/bench

bench-gpu:
	@scripts/find-gpu >/dev/null
	@scripts/find-nvcc >/dev/null
	@scripts/bootstrap use
	@scripts/build cuda groundswell
	@bench/gpu/run build/bench

bundle-cuda:
	@scripts/find-nvcc >/dev/null
	@scripts/bootstrap use
	@scripts/bundle-cuda

validate:
	@scripts/validate

format:
	@scripts/bootstrap test
	@git ls-files -z '*.cpp' '*.hpp' | xargs -0 --no-run-if-empty build/venv/bin/clang-format -i
	@build/venv/bin/ruff check --quiet --fix . && build/venv/bin/ruff format --quiet .

clean:
	@find build -mindepth 1 -maxdepth 1 ! -name venv ! -name '.environment-*' -exec rm -rf {} + 2>/dev/null || true
