# %% [markdown]
# # Which policy?
#
# Paired replications: with the same seed every policy meets the same f, the same noise and the same first queries. A broad hill
# and a narrow peak, seen through windows wider than the peak: policies that climb g end on the hill.

# %%
import tempfile

import iqbo
import matplotlib.pyplot as plt

figure = iqbo.experiment.bench_figure(["two-peaks"], ["cmes", "ckg", "ei", "random"], seeds=8, steps=25)
with tempfile.TemporaryDirectory() as folder:  # give it a folder of your own: an interrupted run goes on there
    table, finished = iqbo.experiment.run(figure.experiment, folder)
regrets = iqbo.experiment.Regrets(table, figure)
print(iqbo.experiment.bench_summary(regrets))

# %% [markdown]
# What the intervals allow to say, each policy against the one with the least regret:

# %%
print(iqbo.experiment.to_markdown(iqbo.experiment.bench_findings(regrets)))

# %% [markdown]
# The table goes into pandas as it is.

# %%
try:
    import pandas as pd

    frame = pd.DataFrame(table.columns())
    print(frame[frame.t == frame.t.max()].groupby("policy").simple_regret.describe()[["50%", "max"]])
except ImportError:
    print("without pandas: table.columns() is a dictionary")

# %%
problem = iqbo.problems.problem("two-peaks")
_, axes = plt.subplots(1, 2, figsize=(11, 4.0), constrained_layout=True)
for ax, regret, floor in zip(axes, ("simple", "instant"), (None, problem.listed_instant_floor)):
    iqbo.plot.regret(table, regret=regret, ax=ax, least=figure.panels[0].least, floor=floor)
axes[0].set_title("What the recommended x falls short of the best", loc="left", fontsize=10)
axes[1].set_title("What the asked averages fall short of it", loc="left", fontsize=10)
plt.show()
