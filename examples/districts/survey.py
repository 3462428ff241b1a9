#!/usr/bin/env python3
"""A simulated survey of one district: survey.py <folder of the template> <district>. Prints the rate and its standard error.

iqbo run --study study.db --command 'python3 survey.py campaign {a}' --trials 30
"""
import os
import random
import sys

from truth import members, pixels, rate

NOISE_SD = 0.3

folder, district = sys.argv[1:]
places = pixels(folder)
people = members(folder)[district]
average = sum(n * rate(*places[pixel]) for pixel, n in people) / sum(n for _, n in people)
noise = random.Random(int(os.environ["IQBO_TRIAL"])).gauss(0, NOISE_SD)
print(average + noise, NOISE_SD)
