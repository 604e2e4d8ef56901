import { bls12381 } from '../precompiles/bls12381Curve.ts'
import { sizes } from '../precompiles/mcl.ts'
import { isPairingOne } from '../precompiles/pairing.ts'
import { lazy } from '../precompiles/wasm.ts'
import { ceremony } from './ceremony.ts'

const room = lazy(() => {
  const { mcl } = bls12381()
  return { commitment: mcl.alloc(sizes.g1), proof: mcl.alloc(sizes.g1), scalar: mcl.alloc(sizes.fr) }
})

/** Returns whether the polynomial of a commitment has the value `y` at `z`: e(C + z·proof − y·G₁, G₂) = e(proof, s·G₂). */
export function isEvaluation(commitment: Uint8Array, z: Uint8Array, y: Uint8Array, proof: Uint8Array): boolean {
  const { mcl, g1, g2 } = bls12381()
  const { lib } = mcl
  const { readCompressed, powersG1, generatorG2, secretG2 } = ceremony()
  const at = room()
  if (!readCompressed(at.commitment, commitment) || !readCompressed(at.proof, proof)) return false
  mcl.readScalar(at.scalar, z)
  lib.mclBnG1_mul(g1.p, at.proof, at.scalar)
  lib.mclBnG1_add(at.commitment, at.commitment, g1.p)
  mcl.readScalar(at.scalar, y)
  lib.mclBnG1_mul(g1.p, powersG1, at.scalar)
  lib.mclBnG1_sub(at.commitment, at.commitment, g1.p)
  lib.mclBnG1_normalize(at.commitment, at.commitment)
  lib.mclBnG1_neg(at.proof, at.proof)
  const isOne = isPairingOne(mcl, 2, (i, p, q) => {
    mcl.copy(p, i === 0 ? at.commitment : at.proof, g1.size)
    mcl.copy(q, i === 0 ? generatorG2 : secretG2, g2.size)
    return true
  })
  return isOne === true
}
