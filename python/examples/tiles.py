# %% [markdown]
# # Satellite tiles on a budget
#
# A scene of 32 x 32 pixels. A tile may be bought at any of six levels, from the whole scene (cheap, an average over everything)
# down to one pixel (dear). The brightest pixel is sought, and the budget buys a handful of pixels, or many coarse tiles.

# %%
import iqbo
import matplotlib.pyplot as plt
import numpy as np

side = 32
pixels = iqbo.InputBox([0.5, 0.5], [side - 0.5, side - 0.5]).grid([side, side])


def scene(x):  # hidden: a broad pool, a ridge, and a small plume that is the brightest of all
    def spot(east, north, wide, high):
        return np.exp(-0.5 * (((x[:, 0] - east) / wide) ** 2 + ((x[:, 1] - north) / high) ** 2))

    return 0.75 * spot(9, 22, 5.5, 4.5) + 0.4 * spot(18, 14, 9, 2.5) + spot(24.5, 7.5, 2.2, 2.4)


truth = scene(pixels)
rng = np.random.default_rng(3)

# %% [markdown]
# The tree cuts the scene into four, those into four, ...; a query is the average over the pixels of a cell.

# %%
costs = [1.0, 1.0, 1.5, 2.5, 4.0, 8.0]
tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0, 0.0], [side, side]), points=pixels, l_max=5, cost=costs)
cond = iqbo.conditionals.CellConditional(tree)


def measure(a):
    (node,) = tree.nodes(a)
    return truth[tree.members(node)].mean() + rng.normal(scale=0.03)


best = iqbo.maximize(measure, conditional=cond, queries=tree, targets=pixels, budget=80, policy="cmes", seed=1,
                     kernel=iqbo.Rbf(0.1, [3.0, 3.0]), mean=0.2, noise_var=0.03**2)  # from earlier scenes
print(best)
print(f"truth: the brightest pixel is {pixels[truth.argmax()]}, {truth.max():.3f}")
print(f"{len(best.answers)} tiles for {best.costs.sum():g}; a look at every pixel would cost {costs[-1] * len(pixels):g}")

# %%
figure, axes = plt.subplots(1, 2, figsize=(11.5, 4.6), constrained_layout=True)
iqbo.plot.tree(tree, best.policy, asked=best.queries, ax=axes[0])
axes[0].set(xlabel="east [pixels]", ylabel="north [pixels]")
axes[0].set_title("Tiles bought, in order", loc="left", fontsize=10)
iqbo.plot.f(best.policy, pixels, ax=axes[1], queries=False)
axes[1].plot(*pixels[truth.argmax()], "o", mfc="none", mec="white", ms=15, mew=1.5)
axes[1].set(xlabel="east [pixels]", ylabel="north [pixels]", aspect="equal")
axes[1].set_title("Believed; circle: truth", loc="left", fontsize=10)
plt.show()
