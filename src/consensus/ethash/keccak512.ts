import { keccakP } from '@noble/hashes/sha3.js'

/** 32-bit words of the permutation's state, of a digest (512 bits), and of the part of the state that takes input. */
const stateWords = 50
const digestWords = 16
const rateWords = 18

const state = new Uint32Array(stateWords)

/**
 * Keccak-512 of at most 16 little-endian words, written to `out` at `at`. A cache takes a million of them, which is
 * why they share one state and stay words.
 */
export function keccak512Into(input: Uint32Array, out: Uint32Array, at: number): void {
  state.fill(0)
  state.set(input)
  state[input.length]! ^= 1
  state[rateWords - 1]! ^= 0x80000000
  keccakP(state)
  for (let i = 0; i < digestWords; i++) out[at + i] = state[i]!
}
