/**
 * Returns the number below which the beta distribution with the shapes `a` and `b` has the given probability.
 *
 * @param probability 0 to 1
 * @param a above 0, as is `b`
 */
export function betaQuantile(probability: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  // Bisection needs no good start and no derivative. Each of the 64 steps halves the error.
  for (let step = 0; step < 64; step++) {
    const middle = (low + high) / 2;
    if (betaProbability(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Returns the probability of the beta distribution with the shapes `a` and `b`, above 0, of a value of at most `x`:
 * the regularised incomplete beta function (NIST DLMF 8.17.2).
 */
export function betaProbability(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const scale = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  // The fraction converges fast below the mean. Above it, use the symmetry of DLMF 8.17.4.
  return x < (a + 1) / (a + b + 2)
    ? (scale * continuedFraction(x, a, b)) / a
    : 1 - (scale * continuedFraction(1 - x, b, a)) / b;
}

/** Computes the continued fraction of DLMF 8.17.22 by Lentz's method. */
function continuedFraction(x: number, a: number, b: number): number {
  const TINY = 1e-300;
  const awayFromZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  // The number of steps grows with the square root of the shapes; 500 suffice for shapes of 100,000.
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

/** Returns the logarithm of the gamma function of a number above 0, by Stirling's series (DLMF 5.11.1). */
function logGamma(x: number): number {
  // The series needs a large argument: Γ(x) = Γ(x + 1) / x.
  let product = 1;
  let z = x;
  for (; z < 12; z++) product *= z;
  const square = 1 / (z * z);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / z;
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}
