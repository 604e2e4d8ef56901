import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { curve } from '../../src/primitives/secp256k1.ts'
import { assemble } from './assemble.ts'
import { pseudoRandom } from './pseudoRandom.ts'
import { onContract, type Workload, word } from './workload.ts'

/** Calls the precompile at `address` with `input` again and again. */
function precompile(name: string, address: number, input: string, count: number): Workload {
  const outputAt = 0x4000
  const code = assemble(`CALLDATASIZE 0 0 CALLDATACOPY ${count}
    loop: 64 ${outputAt} CALLDATASIZE 0 ${address} GAS STATICCALL ISZERO @failed JUMPI
    1 SWAP1 SUB DUP1 @loop JUMPI 64 ${outputAt} RETURN
    failed: 0 0 REVERT`)
  return onContract(name, toHex(code), [input])
}

function recovery(): string {
  const digest = keccak256(pseudoRandom('message', 32))
  const { rs, parity } = curve.sign(digest, pseudoRandom('key', 32))
  return toHex(digest) + word(27 + parity) + toHex(rs).slice(2)
}

/** Base and odd modulus of `size` bytes each. */
function power(size: number, exponent: string): string {
  const modulus = pseudoRandom('modulus', size)
  modulus[0]! |= 0x80
  modulus[size - 1]! |= 1
  const lengths = word(size) + word(exponent.length / 2) + word(size)
  return `0x${lengths}${toHex(pseudoRandom('base', size)).slice(2)}${exponent}${toHex(modulus).slice(2)}`
}

/** e(P, Q) · e(-P, Q) for the generators P and Q of bn254, which is one. */
function pairings(): string {
  const field = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
  const q = [
    0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2n,
    0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6edn,
    0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975bn,
    0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daan,
  ]
  return `0x${[1n, 2n, ...q, 1n, field - 2n, ...q].map(word).join('')}`
}

/** P and 3 · P of bn254's generator, for addition; the first and a scalar, for multiplication. */
const triple = [
  0x0769bf9ac56bea3ff40232bcb1b6bd159315d84715b8e679f2d355961915abf0n,
  0x2ab799bee0489429554fdb7c8d086475319e63b40b9c5b57cdf1ff3dd9fe2261n,
]

function compression(rounds: number): string {
  const final = '01'
  return `0x${rounds.toString(16).padStart(8, '0')}${toHex(pseudoRandom('state', 64 + 128 + 16)).slice(2)}${final}`
}

/** Work that the node does itself. */
export const precompileWorkloads = [
  precompile('ecrecover', 1, recovery(), 500),
  precompile('sha256 1 KiB', 2, toHex(pseudoRandom('data', 1024)), 2000),
  precompile('modexp 256 bit', 5, power(32, toHex(pseudoRandom('exponent', 32)).slice(2)), 500),
  precompile('modexp 2048 bit', 5, power(256, '010001'), 200),
  precompile('bn254 add', 6, `0x${[1n, 2n, ...triple].map(word).join('')}`, 2000),
  precompile('bn254 mul', 7, `0x${[...triple].map(word).join('')}${toHex(pseudoRandom('scalar', 32)).slice(2)}`, 200),
  precompile('bn254 pairing', 8, pairings(), 10),
  precompile('blake2f', 9, compression(1200), 500),
]
