#!/bin/sh
# The program `lab` of the virtual clock's image. As with ./lab, relative paths start from the caller's folder (docker run -w).
LAB_FROM=$PWD
export LAB_FROM
cd /lab || exit
exec node --import tsx harness/cli/main.ts "$@"
