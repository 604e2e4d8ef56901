/** Names of the contracts that every node has in itself, by their number. Their input is no call of a function. */
const names: Readonly<Record<number, string>> = {
  1: 'ecRecover',
  2: 'sha256',
  3: 'ripemd160',
  4: 'identity',
  5: 'modExp',
  6: 'bn254Add',
  7: 'bn254Mul',
  8: 'bn254Pairing',
  9: 'blake2f',
  10: 'pointEvaluation',
  11: 'bls12G1Add',
  12: 'bls12G1Msm',
  13: 'bls12G2Add',
  14: 'bls12G2Msm',
  15: 'bls12Pairing',
  16: 'bls12MapFpToG1',
  17: 'bls12MapFp2ToG2',
  256: 'p256Verify',
}

/** The name of a precompiled contract, undefined for all other addresses. */
export function precompileOf(address: string | null | undefined): string | undefined {
  const digits = /^0x0{36}([0-9a-f]{4})$/i.exec(address ?? '')?.[1]
  return digits === undefined ? undefined : names[Number.parseInt(digits, 16)]
}
