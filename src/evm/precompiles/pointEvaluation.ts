import { hash } from 'node:crypto'
import { concatBytes, equalBytes } from '../../primitives/bytes.ts'
import { bigIntToFixed, bytesToBigInt, toWord } from '../../primitives/u256.ts'
import type { Precompile } from '../precompile.ts'
import { bls12381, type Group } from './bls12381Curve.ts'
import { createCompressedReader } from './compressedG1.ts'
import { type Pointer, sizes } from './mcl.ts'
import { pairingCheck } from './pairing.ts'
import { lazy } from './wasm.ts'

const groupOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const fieldElementsPerBlob = 4096n

// x and y of the first group's generator.
const generatorG1 = [
  0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
  0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
] as const
// Of the second group's: real and imaginary part of x, then of y.
const generatorG2 = [
  0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
  0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
  0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801n,
  0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79ben,
] as const
// The generator times the secret of Ethereum's KZG ceremony.
const generatorTimesSecret = [
  0x185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2n,
  0x15bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72n,
  0x014353bdb96b626dd7d5ee8599d1fca2131569490e28de18e82451a496a9c9794ce26d105941f383ee689bfbbb832a99n,
  0x1666c54b0a32529503432fcae0181b4bef79de09fc63671fda5ed1ba9bfa07899495346f3d7ac9cd23048ef30d0a154fn,
] as const

const verifier = lazy(() => {
  const { mcl, g1, g2 } = bls12381()
  const place = (group: Group, coordinates: readonly bigint[]): Pointer => {
    const at = mcl.alloc(group.size)
    group.read(at, concatBytes(...coordinates.map((c) => bigIntToFixed(c, 64))), 0)
    return at
  }
  return {
    readCompressed: createCompressedReader(mcl),
    generatorG1: place(g1, generatorG1),
    generatorG2: place(g2, generatorG2),
    generatorTimesSecret: place(g2, generatorTimesSecret),
    commitment: mcl.alloc(g1.size),
    proof: mcl.alloc(g1.size),
    scalar: mcl.alloc(sizes.fr),
  }
})

/** First byte 1, then the digest of the commitment: how transactions name a blob. */
function versionedHash(commitment: Uint8Array): Uint8Array {
  const digest = hash('sha256', commitment, 'buffer')
  digest[0] = 1
  return digest
}

/** Whether the polynomial of a commitment has the value `y` at `z`: e(C + z·proof − y·G₁, G₂) = e(proof, s·G₂). */
function isEvaluation(commitment: Uint8Array, z: Uint8Array, y: Uint8Array, proof: Uint8Array): boolean {
  const { mcl, g1, g2 } = bls12381()
  const { lib } = mcl
  const v = verifier()
  if (!v.readCompressed(v.commitment, commitment) || !v.readCompressed(v.proof, proof)) return false
  mcl.readScalar(v.scalar, z)
  lib.mclBnG1_mul(g1.p, v.proof, v.scalar)
  lib.mclBnG1_add(v.commitment, v.commitment, g1.p)
  mcl.readScalar(v.scalar, y)
  lib.mclBnG1_mul(g1.p, v.generatorG1, v.scalar)
  lib.mclBnG1_sub(v.commitment, v.commitment, g1.p)
  lib.mclBnG1_normalize(v.commitment, v.commitment)
  lib.mclBnG1_neg(v.proof, v.proof)
  const word = pairingCheck(mcl, 2, (i, p, q) => {
    mcl.copy(p, i === 0 ? v.commitment : v.proof, g1.size)
    mcl.copy(q, i === 0 ? v.generatorG2 : v.generatorTimesSecret, g2.size)
    return true
  })
  return word?.[31] === 1
}

/** Proof that a blob's polynomial has a value at a point (EIP-4844). */
export const pointEvaluation: Precompile = {
  name: 'KZG_POINT_EVALUATION',
  gas: () => 50_000n,
  run(input) {
    if (input.length !== 192) return undefined
    const [z, y, commitment] = [input.subarray(32, 64), input.subarray(64, 96), input.subarray(96, 144)]
    if (!equalBytes(input.subarray(0, 32), versionedHash(commitment))) return undefined
    if (bytesToBigInt(z) >= groupOrder || bytesToBigInt(y) >= groupOrder) return undefined
    if (!isEvaluation(commitment, z, y, input.subarray(144))) return undefined
    return concatBytes(toWord(fieldElementsPerBlob), toWord(groupOrder))
  },
}
