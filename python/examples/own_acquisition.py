# %% [markdown]
# # A score of your own
#
# An acquisition function is a Python function of a batch: what is believed about n queries (`outlook.nu`, `outlook.q`,
# `outlook.noise_var`, each (n,), and `outlook.c`, covariances with f at the sampled maximisers, (s, n)), and s samples of f\*
# (`samples.values`, `samples.arguments`, ...). It returns one number for each query. Everything else (fitting, samples, search,
# budget, storage) stays the same.

# %%
import iqbo
import matplotlib.pyplot as plt
import numpy as np

problem = iqbo.problems.problem("two-peaks")  # a broad hill, a narrow peak, windows wider than the peak
rng = np.random.default_rng(1)


def measure(a):
    return problem.g(a)[0] + rng.normal(scale=problem.noise_sd)


# %% [markdown]
# The chance that the answer tells something about f where it could be largest: the squared correlation of the answer with f at
# each sampled maximiser, those with a large f\* counting more.


# %%
def optimistic_correlation(outlook, samples):
    squared = outlook.c**2 / (samples.var[:, None] * (outlook.q + outlook.noise_var))  # (s, n)
    optimism = np.exp((samples.values - samples.values.max()) / samples.values.std())
    return optimism @ squared / optimism.sum()


# %% [markdown]
# ## In a study
#
# The study keeps the name of the function. Whoever opens it again brings the function along
# (`iqbo.Study("two_peaks.db", acquisition=optimistic_correlation)`); the command line can show such a study, but not ask it.

# %%
window = iqbo.GaussianConditional(sd=0.05)
study = iqbo.Study(targets=problem.x, queries=problem.a, conditional=window, kernel=problem.kernel, noise_sd=problem.noise_sd,
                   mean=problem.mean, policy=optimistic_correlation, seed=1)
print("policy in the spec:", study.spec["policy"])
best = study.run(measure, trials=25)
print(f"recommended x = {best.x[0]:.3f}, f in [{best.low:.2f}, {best.high:.2f}]")
print(f"truth       x = {problem.optimum.argmax[0, 0]:.3f}, f = {problem.optimum.max:.2f}")

# %% [markdown]
# ## Against the ones that are there: where would each ask next?

# %%
trials = study.trials
posterior = iqbo.Posterior(problem.kernel, window, mean=problem.mean).condition(
    [trial.query for trial in trials[:8]], [trial.answer.value for trial in trials[:8]], noise_var=problem.noise_sd**2)
fs = iqbo.maxvalue.sample_max(posterior, problem.x, n=64, seed=1)
nu, q = posterior.g(problem.a)
at_maxima = posterior.f(fs.arguments)
noise_var = np.full(len(problem.a), problem.noise_sd**2)


class Outlook:  # the same shapes as in a study, for a function that is tried out by hand
    c = posterior.fg_cov(fs.arguments, problem.a)


class Samples:
    values, arguments, mean, var = fs.values, fs.arguments, at_maxima.mean, at_maxima.var


Outlook.nu, Outlook.q, Outlook.noise_var = nu, q, noise_var
scores = {
    "optimistic correlation (own)": optimistic_correlation(Outlook, Samples),
    "CMES [nats]": iqbo.acquisition.cmes(nu, q, fs.values),
    "CKG": iqbo.acquisition.ckg(posterior, problem.x, problem.a),
}
figure, axes = plt.subplots(4, 1, figsize=(7.5, 9), sharex=True, constrained_layout=True, height_ratios=(2, 1, 1, 1))
iqbo.plot.f(posterior, problem.x, ax=axes[0], truth=problem.f)
axes[0].set_title("After 8 answers", loc="left", fontsize=10)
for ax, (name, score) in zip(axes[1:], scores.items()):
    iqbo.plot.acquisition(problem.a, score, ax=ax, label=name.partition(" [")[0])
    ax.set(xlim=(0, 1), ylabel="score")
    ax.set_title(name, loc="left", fontsize=10)
plt.show()
