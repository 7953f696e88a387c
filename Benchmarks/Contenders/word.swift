// SPDX-License-Identifier: Apache-2.0

// What the start of any Swift program costs.
print("word")
