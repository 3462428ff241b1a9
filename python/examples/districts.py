# %% [markdown]
# # Districts: the hottest pixel from surveys of districts
#
# A survey of a district gives the mean rate of its people. The pixel where the rate is highest is sought; a mean hides how
# high it is, and where. The study below may be stopped and gone on with at any time: give it a file,
# `iqbo.Study(..., location="survey.db")`, and the command line (`iqbo status --study survey.db`) sees the same.

# %%
import iqbo
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

rng = np.random.default_rng(5)
side = 24

# %% [markdown]
# ## What is known: pixels, the people in them, and the districts they belong to

# %%
pixels = pd.DataFrame(iqbo.InputBox([0.5, 0.5], [side - 0.5, side - 0.5]).grid([side, side]), columns=["east", "north"])
towns = rng.uniform(2, side - 2, size=(36, 2))
pixel_centres = pixels[["east", "north"]].to_numpy()
distance = np.linalg.norm(pixel_centres[:, None] - towns, axis=2)
district = distance.argmin(axis=1)
people = 20 + 400 * np.exp(-distance.min(axis=1))
names = [f"d{i}" for i in range(len(towns))]


def rate(x):  # hidden: a broad warm region, and a hot spot
    def spot(east, north, wide, height):
        return height * np.exp(-((x[:, 0] - east) ** 2 + (x[:, 1] - north) ** 2) / (2 * wide**2))

    return 10 + spot(6, 16, 4.5, 8) + spot(18.5, 6.5, 2.4, 12)


truth = rate(pixel_centres)
weight = (district == np.arange(len(towns))[:, None]) * people
averages = weight @ truth / weight.sum(axis=1)
print(f"hidden: district means reach {averages.max():.1f}, pixels {truth.max():.1f} cases per 1000")

# %% [markdown]
# ## The study
#
# A bag is a district with its pixels, weighted by people. Kernel, noise and mean are fitted from the answers.

# %%
study = iqbo.Study(targets=pixels, queries=pd.DataFrame({"district": names}),
                   conditional=iqbo.BagConditional(pixel_centres, weight),
                   value={"name": "rate", "unit": "cases per 1000"}, seed=2)


def survey(trial):
    return averages[names.index(trial.name)] + rng.normal(scale=0.3)


for _ in range(30):
    trial = study.ask()
    study.tell(trial, survey(trial), noise_sd=0.3)

best = study.best()
print(iqbo.frame(study)[["trial", "name", "value", "policy"]].tail(5).to_string(index=False))
print(f"recommended: {best.x}, rate {best.mean:.1f} in [{best.low:.1f}, {best.high:.1f}]")
print(f"truth:       {pixel_centres[truth.argmax()]}, rate {truth.max():.1f}")

# %%
snapshot = study.snapshot()
asked = {int(trial.query[0]) for trial in study.trials}
figure, axes = plt.subplots(1, 2, figsize=(12, 4.8), constrained_layout=True)
iqbo.plot.regions(iqbo.BagConditional(pixel_centres, weight), snapshot.a.mean, sd=snapshot.a.sd, asked=asked, ax=axes[0],
                  label="rate of the district [cases per 1000]")
axes[0].set_title("Districts: mean and 95 % interval; outlined: surveyed", loc="left", fontsize=10)
iqbo.plot.f(study, pixels, ax=axes[1])
axes[1].plot(*pixel_centres[truth.argmax()], "o", mfc="none", mec="white", ms=15, mew=1.5)
axes[1].set_title("Pixels; circle: truth", loc="left", fontsize=10)
for ax in axes:
    ax.set(xlabel="east [km]", ylabel="north [km]", aspect="equal")
plt.show()
