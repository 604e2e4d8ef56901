import { describe } from 'vitest'
import type { Evm } from '../../src/evm/evm.ts'
import type { EvmKind } from '../../src/evm/evmModule.ts'
import type { ForkName } from '../../src/forks/table.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { sender, startWorld, type TestAccount } from './evmWorld.ts'

/** The account that sends, with something to spend. */
export const rich: TestAccount = { balance: 1_000_000n, nonce: 5n }

/** Starts an EVM over accounts, of which the sender is one. */
type World = (accounts: readonly (readonly [Address, TestAccount])[], fork?: ForkName) => Evm

/** Runs tests on both builds of the EVM. */
export function evmSuite(name: string, tests: (world: World, kind: EvmKind) => void): void {
  describe.each(['fast', 'exact'] as const)(`${name} (%s EVM)`, (kind) =>
    tests((accounts, fork = 'osaka') => startWorld([[sender, rich], ...accounts], { kind, fork }), kind),
  )
}
