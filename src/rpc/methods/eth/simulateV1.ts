import { simulateBlocks } from '../../../query/simulate/simulateBlocks.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { requireBlockState } from '../../calls/requireBlockState.ts'
import { explainRefusals } from '../../calls/simulationRefusals.ts'
import { blockRef, latest } from '../../codecs/blockRef.ts'
import { listEncoder } from '../../codecs/list.ts'
import { simulationInput } from '../../codecs/simulationInput.ts'
import { simulatedBlockObject } from '../../objects/simulatedBlock.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { method, param } from '../../protocol/method.ts'

/** Not in Besu 23.10. */
export const eth_simulateV1 = method({
  name: 'eth_simulateV1',
  doc: 'Simulates a sequence of blocks with calls on the state of a block, with optional overrides of block fields and accounts. Returns the simulated blocks.',
  needs: ['budget', 'chain', 'evms'],
  params: [param('simulation', simulationInput), param('block', blockRef, { value: latest })],
  result: listEncoder(simulatedBlockObject),
  errors: [
    ...blockErrors,
    [-38010, 'A nonce is too low; -38011: too high.'],
    [-38012, 'A fee is below the base fee.'],
    [-38013, 'The gas of a call is below its intrinsic gas.'],
    [-38014, 'The balance of a sender is insufficient.'],
    [-38015, 'The gas of the calls exceeds the block gas limit.'],
    [-38020, 'Block numbers are not in order; -38021: timestamps.'],
    [-38026, 'Too many blocks.'],
  ],
  example: [
    { blockStateCalls: [{ calls: [{ to: '0x0000000000000000000000000000000000000004', input: '0x616263' }] }] },
    'latest',
  ],
  handler({ budget, chain, evms }, [input, block]) {
    const base = requireBlockState(chain, requireHeader(chain, block))
    let totalDifficulty = chain.totalDifficulty(base.at.hash) ?? 0n
    return explainRefusals(() => simulateBlocks(base, input, evms, budget)).map((simulated) => {
      totalDifficulty += simulated.header.difficulty
      const shown = { ...simulated, totalDifficulty, ommerHashes: [], full: input.fullTransactions }
      return { ...simulated, shown }
    })
  },
})
