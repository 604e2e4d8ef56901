import { Fault } from '../primitives/fault.ts'

/** What keeps an EVM from going on; says nothing about the code that it ran. */
type EvmFault = { readonly code: 'NO_MEMORY' }

export class EvmError extends Fault<EvmFault> {}

export const noMemory = 'the EVM needs more memory than this machine gives it'
