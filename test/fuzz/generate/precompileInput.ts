import { createHash } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { concatBytes, type Hash32 } from '../../../src/primitives/bytes.ts'
import { fromHex } from '../../../src/primitives/hex.ts'
import { curve } from '../../../src/primitives/secp256k1.ts'
import { toWord } from '../../../src/primitives/u256.ts'
import type { Random } from '../random.ts'

const word = (n: bigint | number) => toWord(BigInt(n))
const repeat = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

function ecrecoverInput(random: Random): Uint8Array {
  const digest = random.bytes(32) as Hash32
  const { rs, parity } = curve.sign(digest, word(random.between(1, 1000)))
  return concatBytes(digest, word(27 + parity), rs)
}

function modexpInput(random: Random): Uint8Array {
  const sizes = repeat(3, () =>
    random.weighted([
      [6, random.below(5)],
      [3, random.between(30, 34)],
      [1, random.below(120)],
    ]),
  )
  return concatBytes(...sizes.map(word), ...sizes.map((size) => random.bytes(size)))
}

const bn254Field = 21888242871839275222246405745257275088696311157297823662689037894645226208583n
/** The generator, its negative, twice it, and infinity. */
const bn254Points = [
  concatBytes(word(1), word(2)),
  concatBytes(word(1), word(bn254Field - 2n)),
  concatBytes(
    word(0x030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3n),
    word(0x15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4n),
  ),
  new Uint8Array(64),
]
const bn254G2 = concatBytes(
  word(0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2n),
  word(0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6edn),
  word(0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975bn),
  word(0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daan),
)

function blake2fInput(random: Random): Uint8Array {
  const rounds = Uint8Array.of(0, 0, 0, random.below(24))
  return concatBytes(rounds, random.bytes(208), Uint8Array.of(random.percent(90) ? random.below(2) : 2))
}

const blsField = (hex: string) => concatBytes(new Uint8Array(16), fromHex(hex))
const blsG1 = concatBytes(
  blsField('17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'),
  blsField('08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1'),
)
const blsG2 = concatBytes(
  blsField('024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8'),
  blsField('13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e'),
  blsField('0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801'),
  blsField('0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be'),
)
const g1 = (random: Random) => (random.percent(80) ? blsG1 : new Uint8Array(128))
const g2 = (random: Random) => (random.percent(80) ? blsG2 : new Uint8Array(256))
const fieldElement = (random: Random) => concatBytes(new Uint8Array(17), random.bytes(47))

const p256Private = word(0x51)
const p256Public = p256.getPublicKey(p256Private, false).subarray(1)

function p256Input(random: Random): Uint8Array {
  const digest = createHash('sha256').update(random.bytes(8)).digest()
  const signature = p256.sign(digest, p256Private, { prehash: false, format: 'compact' })
  return concatBytes(digest, signature, p256Public)
}

const makers = new Map<bigint, (random: Random) => Uint8Array>([
  [1n, ecrecoverInput],
  [5n, modexpInput],
  [6n, (random) => concatBytes(random.pick(bn254Points), random.pick(bn254Points))],
  [7n, (random) => concatBytes(random.pick(bn254Points), random.bytes(32))],
  [8n, (random) => concatBytes(...repeat(random.below(3), () => concatBytes(random.pick(bn254Points), bn254G2)))],
  [9n, blake2fInput],
  [11n, (random) => concatBytes(g1(random), g1(random))],
  [12n, (random) => concatBytes(...repeat(random.between(1, 3), () => concatBytes(g1(random), random.bytes(32))))],
  [13n, (random) => concatBytes(g2(random), g2(random))],
  [14n, (random) => concatBytes(...repeat(random.between(1, 2), () => concatBytes(g2(random), random.bytes(32))))],
  [15n, (random) => concatBytes(...repeat(random.between(1, 2), () => concatBytes(g1(random), g2(random))))],
  [16n, fieldElement],
  [17n, (random) => concatBytes(fieldElement(random), fieldElement(random))],
  [0x100n, p256Input],
])

/** Input that the precompile understands, as a rule; sometimes with a byte changed, cut short or too long. */
export function precompileInput(random: Random, address: bigint): Uint8Array {
  const input = makers.get(address)?.(random) ?? random.bytes(random.below(100))
  return random.weighted([
    [80, () => input],
    [10, () => input.map((byte, i) => (i === random.below(input.length) ? byte ^ 1 : byte))],
    [5, () => input.subarray(0, random.below(input.length + 1))],
    [5, () => concatBytes(input, random.bytes(random.between(1, 40)))],
  ])()
}
