# %% [markdown]
# # Counts: where is the incidence highest, when cases are counted by district?
#
# A district reports 0, 3 or 12 cases among its people. Told as a rate with a standard error, zero cases are a rate of 0 with an
# error that somebody must make up, intervals reach below 0, and the peak is flattened. Told as what they are, counts, they say
# by themselves how much they tell.

# %%
import iqbo
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

rng = np.random.default_rng(4)
cells = np.arange(48) + 0.5
truth = 1.2 + 9.0 * np.exp(-0.5 * ((cells - 33) / 2.2) ** 2) + 2.5 * np.exp(-0.5 * ((cells - 9) / 5) ** 2)  # hidden: per 1,000

# %% [markdown]
# ## Twenty districts of two or three cells, with 600 to 4,000 people each

# %%
begin = np.linspace(0, 48, 21).round().astype(int)
weight = np.array([(cells > low) & (cells < high) for low, high in zip(begin[:-1], begin[1:])], float)
weight /= weight.sum(axis=1, keepdims=True)
people = rng.integers(600, 4000, size=20)
cases = rng.poisson(weight @ truth * people / 1000)
print(pd.DataFrame({"people": people, "cases": cases}).T.to_string(header=False))

# %% [markdown]
# ## The same numbers, told in two ways

# %%
about = dict(targets=pd.DataFrame({"km": cells}), queries=pd.DataFrame({"district": [f"d{i}" for i in range(20)]}),
             conditional=iqbo.BagConditional(cells, weight), seed=1)
counted = iqbo.Study(**about, answers="poisson", value={"name": "incidence", "unit": "cases per 1,000", "per": 1000})
counted.import_observations({"district": [f"d{i}" for i in range(20)], "cases": cases, "population": people})

rates = iqbo.Study(**about, link="identity", value={"name": "incidence", "unit": "cases per 1,000"})
rates.import_observations({"district": [f"d{i}" for i in range(20)], "value": 1000 * cases / people,
                           "noise_sd": 1000 * np.sqrt(np.maximum(cases, 1)) / people})

for name, study in (("rates with made-up errors", rates), ("counts", counted)):
    best = study.best()
    print(f"{name}: highest at {best.x[0]:.1f} km, {best.mean:.1f} in [{best.low:.1f}, {best.high:.1f}] cases per 1,000")
print(f"truth: highest at {cells[truth.argmax()]:.1f} km, {truth.max():.1f} cases per 1,000")
forecast = counted.predict_counts([[13.0]], exposure=1000)
print(f"next year in d13, among 1,000 people: {forecast.low[0]:.0f} to {forecast.high[0]:.0f} cases")

# %%
figure, axes = plt.subplots(1, 2, figsize=(11, 3.8), sharey=True, constrained_layout=True)
titles = ["Told as rates with a made-up standard error", "Told as counts"]
for ax, study, title in zip(axes, (rates, counted), titles):
    said = study.predict_f(cells)
    ax.fill_between(cells, said.low, said.high, alpha=0.25, lw=0, label="95 % interval")
    ax.plot(cells, said.mean, label="expected")
    ax.plot(cells, truth, "k--", lw=1, label="truth")
    for i in range(20):
        ax.plot(begin[i : i + 2], [1000 * cases[i] / people[i]] * 2, color="tab:red", lw=2, label="" if i else "district: cases / people")
    ax.axhline(0, color="0.5", lw=0.8)
    ax.set_title(title, loc="left", fontsize=10)
    ax.set(xlabel="km")
axes[0].set_ylabel("cases per 1,000")
axes[1].legend(frameon=False, fontsize=9, loc="upper left")
plt.show()
