"""Compiled loops: integer columns in, a class label per row out."""
from ._kernels import *
