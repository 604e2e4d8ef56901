import type { ChainSpec } from '../../forks/chainSpec.ts'
import { rulesOf } from '../../forks/rules.ts'
import type { ForkName } from '../../forks/table.ts'

function osakaEffects({ genesis, consensus }: ChainSpec, isLimitSet: boolean): string[] {
  const cap = rulesOf('osaka').txGasCap!
  const isBft = consensus.kind === 'ibft2' || consensus.kind === 'qbft'
  const way = isBft ? ': set it with --tx-gas-limit (0: only that of the block), which Besu knows since 26.8' : ''
  return [
    ...(isLimitSet || genesis.gasLimit <= cap
      ? []
      : [`osaka: a transaction may have ${cap} gas at most (EIP-7825), which large deployments exceed${way}`]),
    'osaka: a block may have 8 MiB at most (EIP-7934), and MODEXP costs more (EIP-7883)',
  ]
}

/** What each fork changes for users of a private network. */
export function effectsOf(spec: ChainSpec, coming: readonly ForkName[], isTxGasLimitSet: boolean): string[] {
  const { maxCodeSize } = spec.rulesAt({ number: 1n << 62n, timestamp: 0n })
  const texts: Partial<Record<ForkName, readonly string[]>> = {
    shanghai: [
      `shanghai: init code may have ${2 * maxCodeSize} bytes at most (EIP-3860), and costs gas; solc may use PUSH0`,
    ],
    cancun: ['cancun: SELFDESTRUCT removes only contracts of the same transaction (EIP-6780)'],
    prague: [
      'prague: transactions with much data cost more (EIP-7623); accounts may point to code (EIP-7702)',
      'prague: deposits (EIP-6110) count only if depositContractAddress is a deposit contract, which no private network has',
    ],
    osaka: osakaEffects(spec, isTxGasLimitSet),
  }
  return coming.flatMap((fork) => texts[fork] ?? [])
}
