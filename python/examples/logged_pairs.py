# %% [markdown]
# # Clinics and doses: p(x given a) learned from logged pairs
#
# A protocol a (its intensity) does not fix the dose x that a patient gets: that was only logged, for 300 patients. Measuring a
# protocol gives the average outcome of its patients, and the best *dose* is sought. So p(x given a) is learned first.

# %%
import iqbo
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

rng = np.random.default_rng(7)
doses = np.linspace(0, 10, 201)
protocols = np.linspace(0, 1, 41)


def outcome(x):  # hidden: a plateau, and a narrow window of doses that is better
    return 0.6 / (1 + np.exp(-(x - 2.5) * 2)) + 0.45 * np.exp(-((x - 7.2) ** 2) / 1.2) - 0.004 * x**2


def give(a, count):  # hidden: which doses a protocol leads to
    return np.clip(9 * a**1.5 + 0.6 + (0.3 + 0.3 * a) * rng.normal(size=count), 0, 10)


logged = pd.DataFrame({"protocol": rng.uniform(size=300)})
logged["dose"] = [give(a, 1)[0] for a in logged.protocol]

# %%
cond = iqbo.LearnedConditional(logged.dose, logged.protocol, model="auto", domain=iqbo.InputBox([0.0], [10.0]))
print(cond.report.summary())

# %% [markdown]
# An answer is the mean outcome of 200 patients of a protocol. Everything else (kernel, noise, mean, and how wrong the learned
# p(x given a) may be) is fitted.


# %%
def measure(a):
    return outcome(give(a, 200)).mean() + rng.normal(scale=0.01)


best = iqbo.maximize(measure, conditional=cond, queries=protocols, targets=doses, budget=25, seed=1)
print(best)
print(f"truth: the best dose is {doses[outcome(doses).argmax()]:.2f}, outcome {outcome(doses).max():.3f}")
print(f"the best protocol's average is only {max(outcome(give(a, 20000)).mean() for a in protocols):.3f}")

# %%
figure, axes = plt.subplots(1, 2, figsize=(11, 4.0), constrained_layout=True)
axes[0].plot(logged.protocol, logged.dose, ".", color="#888888", ms=4, label="logged pairs")
centre, half = iqbo.plot.footprint(cond, protocols)
axes[0].plot(protocols, centre[:, 0], color="#0072b2", label="learned p(x|a): mean")
axes[0].fill_between(protocols, centre[:, 0] - half[:, 0], centre[:, 0] + half[:, 0], color="#0072b2", alpha=0.2, lw=0,
                     label="learned p(x|a): spread")
axes[0].set(xlabel="protocol a, intensity", ylabel="dose x [mg]")
axes[0].set_title("Which doses a protocol leads to", loc="left", fontsize=10)
axes[0].legend(fontsize=8, frameon=False)
iqbo.plot.f(best.policy, doses, ax=axes[1], truth=outcome)
axes[1].set(xlabel="dose x [mg]", ylabel="outcome")
axes[1].set_title("What the protocols' averages say about doses", loc="left", fontsize=10)
plt.show()
