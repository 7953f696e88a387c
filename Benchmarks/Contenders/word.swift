// SPDX-License-Identifier: Apache-2.0

// Measures the start of any Swift program.
print("word")
