"""What may be passed, and what is said to what may not."""
import decimal

import iqbo
import numpy as np
import pytest
from iqbo import conditionals, experiment

PRIOR = iqbo.Posterior(iqbo.Rbf(1.0, [0.5, 0.5]), iqbo.GaussianConditional(lambda a: a[:, :2], lambda a: a[:, 2:3]))
A = np.array([[0.1, 0.2, 0.05], [0.7, 0.4, 0.1]])
X = np.array([[0.3, 0.3], [0.6, 0.1], [0.9, 0.9]])
POST = PRIOR.condition(A, [1.0, 2.0], 0.01)


@pytest.mark.parametrize("same", [
    X.tolist(), [tuple(row) for row in X], X.astype(np.float32).astype(float), np.asfortranarray(X), X.copy()[::1],
    np.repeat(X, 2, axis=0)[::2], np.c_[X, X][:, :2], X[::-1][::-1], [[decimal.Decimal(str(v)) for v in row] for row in X]])
def test_any_array_of_numbers(same):
    np.testing.assert_allclose(POST.f(same).mean, POST.f(X).mean, rtol=1e-6)


def test_read_only_integers_and_data_frames():
    pandas = pytest.importorskip("pandas")
    frozen = X.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(POST.f(frozen).mean, POST.f(X).mean)
    np.testing.assert_array_equal(POST.f(pandas.DataFrame(X)).mean, POST.f(X).mean)
    np.testing.assert_array_equal(POST.f(np.array([[0, 1]])).mean, POST.f([[0.0, 1.0]]).mean)
    np.testing.assert_array_equal(POST.f(X[1]).mean, POST.f(X[1:2]).mean)  # one point
    assert PRIOR.condition(A, pandas.Series([1, 2]), np.float32(0.01)).z.tolist() == [1, 2]


def test_float32_is_what_it_is():
    np.testing.assert_array_equal(POST.f(X.astype(np.float32)).mean, POST.f(X.astype(np.float32).astype(float)).mean)


@pytest.mark.parametrize("call,words", [
    (lambda: POST.f(np.zeros((4, 3))), ["x: shape (4, 3)", "shape (n, 2)"]),
    (lambda: POST.f(np.zeros(3)), ["x: shape (3,)", "shape (n, 2)"]),
    (lambda: POST.f(np.zeros((2, 2, 2))), ["x: shape (2, 2, 2)", "shape (n, 2)"]),
    (lambda: POST.f("abc"), ["x: ", "real numbers"]),
    (lambda: POST.f([[1, 2], [3]]), ["x: list", "rows of one length"]),
    (lambda: POST.f([[1j, 2]]), ["x: array of dtype complex128", "real numbers"]),
    (lambda: POST.f([["1", "2"]]), ["x: array of dtype <U1"]),
    (lambda: POST.f([[np.nan, 0.0]]), ["x: row 0", "nan", "finite"]),
    (lambda: POST.f(None), ["x: "]),
    (lambda: POST.g(X), ["a: shape (3, 2)", "shape (n, 3)"]),
    (lambda: PRIOR.condition(A, [1.0], 0.1), ["z: shape (1,)", "shape (2,)"]),
    (lambda: PRIOR.condition(A, [[1.0], [2.0]], 0.1), ["z: shape (2, 1)", "shape (2,)"]),
    (lambda: PRIOR.condition(A, [1.0, np.inf], 0.1), ["z: row 1 is inf"]),
    (lambda: PRIOR.condition(A, [1.0, 2.0], [0.1]), ["noise_var: shape (1,)", "a number or shape (2,)"]),
    (lambda: PRIOR.condition(A, [1.0, 2.0], -1.0), ["noise_var", "-1"]),
    (lambda: iqbo.Rbf(-1.0, 1.0), ["variance", "-1"]),
    (lambda: iqbo.Rbf(1.0, [[1.0]]), ["lengthscale: shape (1, 1)"]),
    (lambda: iqbo.InputBox([0.0], [0.0]), ["upper"]),
    (lambda: iqbo.BagConditional([0.0, 1.0], [[1.0]]), ["weight: shape (1, 1)", "shape (n, 2)"]),
    (lambda: iqbo.BagConditional([0.0, 1.0]), ["weight: none", "weight or rows"]),
    (lambda: iqbo.LearnedConditional([0, 1.0], [0, 1.0], model="shfit"), ["model", '"shift"']),
    (lambda: iqbo.posteriors.FiniteBelief(PRIOR, X, A, engine="fast"), ["engine", "low rank"]),
    (lambda: iqbo.GaussianConditional(lambda a: a[:, 99], 0.1), ["mean: a function that takes no queries", "query_dimension"]),
    (lambda: iqbo.kernels.CallbackMean(lambda x: x)([[1.0, 2.0]]), ["mean(x): shape (1, 2)"]),
    (lambda: iqbo.fit(POST, families=["rfb"]), ["families", '"rbf"']),
    (lambda: iqbo.fit(POST, starts="many"), ['starts: "many"', "a whole number"]),
    (lambda: iqbo.GaussianConditional(lambda a: np.zeros(3), 0.1), ["mean: a function that makes shape (3,)", "(n, k)"]),
    (lambda: iqbo.GaussianConditional(sd=0.1, query_dimension=2, input_dimension=3), ["input_dimension: 3", "expected 2"]),
    (lambda: iqbo.GaussianConditional(conditionals.QueryMap.identity(1), 0.1, query_dimension=2),
     ["query_dimension: 2, expected 1"]),
    (lambda: iqbo.LearnedConditional([1, 2.0], [1.0]), ["a_pairs: 1 rows, expected 2"]),
    (lambda: iqbo.spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), weight=[1.0]), ["weight: given without points"]),
    (lambda: iqbo.kernels.Sum([iqbo.Rbf(), 3]), ["terms[1]: 3, expected a Kernel"]),
    (lambda: iqbo.kernels.Product([iqbo.Rbf()]), ["factors[0]: Rbf", "(a stationary kernel, its columns)"]),
    (lambda: iqbo.kernels.Product([(iqbo.Rbf(), "a")]), ['factors[0][1]: "a"']),
    (lambda: iqbo.posteriors.Ensemble([3], [1.0]), ["members[0]: 3, expected a Posterior"]),
    (lambda: experiment.Experiment("x", [3]), ["entries[0]: 3, expected an Entry"]),
    (lambda: iqbo.spaces.Node(level="a"), ['level: "a", expected a whole number']),
    (lambda: iqbo.Posterior(iqbo.Rbf(), 3), ["conditional: 3, expected a Conditional"]),
    (lambda: experiment.replicate(experiment.Entry(lambda seed: 3, "random", name="x"), 1),
     ["problem(seed): 3, expected a Problem"]),
    (lambda: experiment.run(experiment.Experiment("x", []), None), ["folder: None"]),
])
def test_refusals_name_argument_found_and_expected(call, words):
    with pytest.raises(ValueError) as refusal:
        call()
    for word in words:
        assert word in str(refusal.value)


def test_unknown_keywords_are_refused_with_the_nearest():
    with pytest.raises(TypeError, match='"nugget"'):
        iqbo.fit(POST, nuget=True)
    with pytest.raises(TypeError):
        POST.condition(A, [1.0, 2.0])


def test_what_a_python_function_raises_passes_through():
    def broken(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        iqbo.Posterior(iqbo.Rbf(), iqbo.GaussianConditional(sd=0.1), mean=broken).f([0.0])


def test_what_a_query_map_raises_is_the_cause():
    def broken(a):
        raise KeyError("mine")

    for given in ({}, {"query_dimension": 1}):
        with pytest.raises(ValueError, match="mean: a function that takes no queries") as refusal:
            iqbo.GaussianConditional(broken, 0.1, **given)
        assert isinstance(refusal.value.__cause__, KeyError)


def test_beliefs_are_indexed_like_tuples():
    belief = POST.f(X)
    np.testing.assert_array_equal(belief[0], belief.mean)
    np.testing.assert_array_equal(belief[-1], belief.var)
    assert len(belief[:1]) == 1
    with pytest.raises(IndexError):
        belief[2]


def test_query_maps_say_all_they_are_made_of():
    assert repr(conditionals.QueryMap.affine([[2.0]], [0.1])) == "QueryMap.affine([[2]], [0.1])"
    assert repr(conditionals.QueryMap.constant(3.0)) == "QueryMap.constant(3)"


def test_numerical_error():
    huge = iqbo.Posterior(iqbo.Rbf(1e308) + iqbo.Rbf(1e308, 2.0), iqbo.GaussianConditional(sd=0.0))
    assert issubclass(iqbo.NumericalError, ArithmeticError)
    with pytest.raises(iqbo.NumericalError, match="not positive definite at jitter 1e-06; raise noise_var"):
        huge.condition([0.0, 1e-3, 1.0], [1.0, 2.0, 3.0], 0.0)


def test_contradictions():
    prior = iqbo.Posterior(iqbo.Rbf(), iqbo.GaussianConditional(sd=0.1))
    post = prior.condition([0.2, 0.5, 0.2], [1.0, 2.0, 1.0], 0.0)
    assert (post.f([0.1, 0.2]).var > 0.0).all()
    with pytest.raises(iqbo.NumericalError, match=r"two answers at query \(0.2\), 1 and 1.5, contradict each other"):
        prior.condition([0.2, 0.5, 0.2], [1.0, 2.0, 1.5], 0.0).f([0.1])


def test_objects_outlive_and_do_not_follow_the_arrays_they_came_from():
    points, weight, z = np.array([[0.0], [1.0]]), np.eye(2), np.array([1.0, 2.0])
    post = iqbo.Posterior(iqbo.Rbf(), iqbo.BagConditional(points, weight)).condition([0, 1], z, 0.1)
    before = post.f([0.5]).mean
    points += 10
    weight[:] = 7
    z[:] = 0
    np.testing.assert_array_equal(post.f([0.5]).mean, before)
    view = iqbo.Posterior(iqbo.Rbf(), iqbo.BagConditional([0.0, 1.0], np.eye(2))).condition([0], [3.0], 0.1).z
    assert view.tolist() == [3.0]  # its posterior is gone
    with pytest.raises(ValueError):
        view[0] = 1.0  # and nobody can change it


def test_large_matrices_are_handed_over_not_copied():
    cov = POST.fg_cov(X, A)
    assert cov.flags.f_contiguous and not cov.flags.owndata  # Eigen's own memory


def observing():
    return iqbo.Policy(np.linspace(0, 1, 5), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(), noise_var=0.1)


@pytest.mark.parametrize("call,words", [
    (lambda: iqbo.UniformConditional(0.1), "UniformConditional: half_width is not given, expected half_width=...; by position mean was given"),
    (lambda: iqbo.GaussianConditional(sigma=0.1), "GaussianConditional: unexpected keyword 'sigma', expected sd (one of mean, sd, "),
    (lambda: PRIOR.condition(A, [1.0, 2.0], noise_sd=0.1), "Posterior.condition: unexpected keyword 'noise_sd', expected noise_var, its square"),
    (lambda: PRIOR.condition(A, [1.0, 2.0]), "Posterior.condition: noise_var is not given, expected noise_var=...; by position a, z were given"),
    (lambda: observing().observe([0.1], [0.2], noise_sd=0.1), "Policy.observe: unexpected keyword 'noise_sd', expected noise_var, its square"),
    (lambda: observing().observe([0.1], [0.2], count=3), "Policy.observe: a, z, count given together, expected (a, z, noise_var, replicates) or "),
    (lambda: observing().observe(1, 2, 3, 4, 5), "Policy.observe: 5 arguments by position, expected at most 4"),
    (lambda: observing().observe([0.1], [0.2], a=[0.1]), "Policy.observe: a given twice, by position and by name"),
    (lambda: iqbo.Rbf(length_scale=0.1), "Rbf: unexpected keyword 'length_scale', expected lengthscale"),
    (lambda: iqbo.Policy(np.linspace(0, 1, 5)), "Policy: queries is not given, expected queries=..., conditional=...; by position targets was given"),
])
def test_wrong_arguments_are_named_beside_the_right_ones(call, words):
    with pytest.raises(TypeError) as refusal:
        call()
    assert str(refusal.value).startswith(words)


def test_an_argument_of_another_type_is_answered_with_the_signature():
    with pytest.raises(TypeError, match="variance: float"):
        iqbo.Rbf("1")


MASKED = np.ma.array([1.0, -999.0], mask=[False, True])


@pytest.mark.parametrize("call,name", [
    (lambda: PRIOR.condition(A, MASKED, 0.1), "z"),
    (lambda: PRIOR.condition(A, [1.0, 2.0], MASKED), "noise_var"),
    (lambda: POST.f(np.ma.array(X, mask=X > 0.8)), "x"),
    (lambda: POST.g(np.ma.masked_less(A, 0.06)), "a"),
    (lambda: observing().observe([0.1, 0.2], MASKED), "z"),
    (lambda: iqbo.Study(targets=MASKED, queries=[0.1, 0.2], conditional=iqbo.GaussianConditional(sd=0.1)), "targets"),
    (lambda: iqbo.Study(targets=[0.1, 0.2], queries=MASKED, conditional=iqbo.GaussianConditional(sd=0.1)), "queries"),
    (lambda: iqbo.Study(targets=[0.1, 0.2], queries=[0.1, 0.2], cost=MASKED, conditional=iqbo.GaussianConditional(sd=0.1)), "cost"),
    (lambda: iqbo.Study(targets=[0.1, 0.2], queries=[0.1, 0.2], conditional=iqbo.GaussianConditional(sd=0.1)).tell(0, np.ma.masked), "value"),
    (lambda: iqbo.Study(targets=[0.1, 0.2], queries=[0.1, 0.2], conditional=iqbo.GaussianConditional(sd=0.1)).import_values(
        {"x": [0.1, 0.2], "value": MASKED}), "table: column 'value'"),
])
def test_masked_values_are_refused(call, name):
    with pytest.raises(ValueError, match=f"{name}: (row .* )?is masked, expected numbers; leave such rows out"):
        call()


def test_a_mask_of_nothing_is_no_obstacle():
    np.testing.assert_array_equal(POST.f(np.ma.array(X)).mean, POST.f(X).mean)
