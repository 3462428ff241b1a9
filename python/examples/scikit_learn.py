# %% [markdown]
# # The same posterior as scikit-learn's, and one that it cannot have
#
# On direct measurements of f, iqbo is an ordinary Gaussian process: means, covariances and evidence are those of
# `GaussianProcessRegressor`. On averages of f, scikit-learn can only pretend that they were measured at the middle.

# %%
import iqbo
import matplotlib.pyplot as plt
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

rng = np.random.default_rng(1)
noise_var = 0.01**2


def f(x):
    return np.exp(-((x - 0.3) ** 2) / 0.02) + 1.2 * np.exp(-((x - 0.72) ** 2) / 0.002)


# %% [markdown]
# ## Direct data: equal to 1e-8

# %%
x = rng.uniform(size=(25, 2))
y = np.sin(5 * x[:, 0]) * np.cos(3 * x[:, 1]) + rng.normal(scale=0.1, size=25)
new = rng.uniform(size=(200, 2))

theirs = GaussianProcessRegressor(ConstantKernel(0.7) * RBF([0.3, 0.5]), alpha=0.1**2, optimizer=None).fit(x, y)
mean, cov = theirs.predict(new, return_cov=True)

direct = iqbo.UniformConditional(half_width=[0.0, 0.0])  # a window of no width
ours = iqbo.Posterior(iqbo.Rbf(0.7, [0.3, 0.5]), direct).condition(x, y, noise_var=0.1**2)

differences = {
    "mean": np.abs(ours.f(new).mean - mean).max(),
    "covariance": np.abs(ours.f_cov(new) - cov).max(),
    "log evidence": abs(ours.log_evidence - theirs.log_marginal_likelihood_value_),
}
for what, difference in differences.items():
    print(f"largest difference of the {what}: {difference:.1e}")
    assert difference < 1e-8

# %% [markdown]
# ## Averages: each answer is the mean of f over a stretch of 0.2

# %%
half_width = 0.1
a = np.linspace(0.1, 0.9, 17)
z = np.array([f(np.linspace(m - half_width, m + half_width, 2001)).mean() for m in a]) + rng.normal(scale=0.01, size=17)
line = np.linspace(0, 1, 401)

pretending = GaussianProcessRegressor(ConstantKernel(0.3) * RBF(0.06), alpha=noise_var, optimizer=None).fit(a[:, None], z)
knowing = iqbo.Posterior(iqbo.Rbf(0.3, 0.06), iqbo.UniformConditional(half_width=half_width)).condition(a, z, noise_var)

their_mean, their_sd = pretending.predict(line[:, None], return_std=True)
our_mean = knowing.f(line).mean
where = {"the truth": line[f(line).argmax()], "scikit-learn": line[their_mean.argmax()], "iqbo": line[our_mean.argmax()]}
for who, best in where.items():
    print(f"f is largest at {best:.3f}, according to {who}")

# %%
figure, axes = plt.subplots(2, 1, figsize=(7.5, 6.4), sharex=True, sharey=True, constrained_layout=True)
axes[0].fill_between(line, their_mean - 1.96 * their_sd, their_mean + 1.96 * their_sd, color="#888888", alpha=0.25, lw=0)
axes[0].plot(line, their_mean, color="#888888", label="mean, and 95 % interval")
axes[0].plot(line, f(line), color="#222222", ls=":", label="f, true")
axes[0].plot(a, z, "o", color="#e69f00", ms=5, label="answers, taken for values at the middle")
axes[0].set(ylabel="f")
axes[0].set_title("scikit-learn on averages: what it calls f are averages", loc="left", fontsize=10)
axes[0].legend(fontsize=8, frameon=False)
iqbo.plot.f(knowing, line, ax=axes[1], truth=f)
axes[1].set_title("iqbo on the same averages", loc="left", fontsize=10)
plt.show()
