"""Gaussian conditioning and averages done again, densely and by quadrature, with nothing of iqbo in it."""
import numpy as np
from scipy import integrate, spatial, stats

TOLERANCE = 1e-8  # of quadrature and of dense solves with noise sd >= 1e-2


def rho(family, r):
    """The correlation at scaled distance r."""
    if family == "Rbf":
        return np.exp(-0.5 * r**2)
    if family == "Matern12":
        return np.exp(-r)
    if family == "Matern32":
        return (1 + np.sqrt(3) * r) * np.exp(-np.sqrt(3) * r)
    return (1 + np.sqrt(5) * r + 5 * r**2 / 3) * np.exp(-np.sqrt(5) * r)


def gram(family, variance, lengthscale, x, y):
    scale = np.asarray(lengthscale, float)
    return variance * rho(family, spatial.distance.cdist(np.atleast_2d(x) / scale, np.atleast_2d(y) / scale))


def average(density, low, high, function):
    """E function(X) for a density on [low, high]."""
    return integrate.quad(lambda x: density(x) * function(x), low, high, epsabs=1e-11, epsrel=1e-11, limit=200)[0]


def nodes(density, low, high, count=400):
    """Gauss-Legendre points of a law and their weights."""
    at, weight = np.polynomial.legendre.leggauss(count)
    at = 0.5 * (low + high) + 0.5 * (high - low) * at
    return at, 0.5 * (high - low) * weight * density(at)


def window(kind, centre, width):
    """(density, low, high) of a Gaussian or uniform window."""
    if kind == "gaussian":
        return stats.norm(centre, width).pdf, centre - 9 * width, centre + 9 * width
    return stats.uniform(centre - width, 2 * width).pdf, centre - width, centre + width


def condition(mean, cov, rows, z, noise_var):
    """Mean and covariance of a Gaussian vector after z = vector[rows] + noise."""
    rows = np.asarray(rows)
    gain = np.linalg.solve(cov[np.ix_(rows, rows)] + np.diag(np.broadcast_to(noise_var, len(rows))), cov[rows]).T
    return mean + gain @ (z - mean[rows]), cov - gain @ cov[rows]
