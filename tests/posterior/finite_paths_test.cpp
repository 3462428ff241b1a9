// Distribution of joint paths.
#include <gtest/gtest.h>
