import type { Abi, AbiFunction } from 'viem'

/** The functions of an ABI: those that read, which a node runs by itself, and those that need a transaction. */
export function functionsOf(abi: Abi): {
  readonly reads: readonly AbiFunction[]
  readonly writes: readonly AbiFunction[]
} {
  const functions = abi.filter((item) => item.type === 'function')
  const isRead = ({ stateMutability }: AbiFunction) => stateMutability === 'view' || stateMutability === 'pure'
  return { reads: functions.filter(isRead), writes: functions.filter((item) => !isRead(item)) }
}

/** Tells functions of one name apart. */
export const signatureOf = ({ name, inputs }: AbiFunction): string =>
  `${name}(${inputs.map(({ type }) => type).join()})`
