# Native contender: Python's hashlib.
# Prints "ready", then answers each line "ROUNDS VALUE…" with "NANOSECONDS DIGEST…".
import sys
from hashlib import sha1
from time import perf_counter_ns


def chain(value, rounds):
    current = value.encode()
    for _ in range(rounds):
        current = sha1(b"service-" + current).hexdigest().encode()
    return current.decode()


print("ready", flush=True)
for line in sys.stdin:
    rounds, *values = line.split()
    start = perf_counter_ns()
    digests = [chain(value, int(rounds)) for value in values]
    nanoseconds = perf_counter_ns() - start
    print(nanoseconds, *digests, flush=True)
