"""Installs the package `pare` for a libpare that is installed:

    python3 -m pip install --no-index --no-build-isolation .
    python3 setup.py bdist_wheel                                  the same as a file to carry about

Debian's python3-setuptools, python3-cffi, python3-wheel, python3-dev and pkg-config are enough, and
nothing is fetched.
"""
import os
import sys

from setuptools import setup

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
setup(
    name="pare",
    version="0.1.0",
    description="Test-case reducer: shrinks a failing input, keeps the failure",
    packages=["pare"],
    package_data={"pare": ["py.typed", "_pare.pyi"]},
    python_requires=">=3.9",
    install_requires=["cffi>=1.14"],
    cffi_modules=["build_pare.py:ffibuilder"],
    entry_points={"pytest11": ["pare = pare.pytest_plugin"]},
    zip_safe=False,
)
