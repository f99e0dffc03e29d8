#!/bin/sh
# The program `lab` of the virtual clock's image. As with ./lab, relative paths begin where the caller is (docker run -w).
LAB_FROM=$PWD
export LAB_FROM
cd /lab || exit
exec node --import tsx harness/cli/main.ts "$@"
