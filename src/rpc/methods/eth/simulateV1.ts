import { findState } from '../../../query/findState.ts'
import { requireHeader } from '../../blocks/resolveBlock.ts'
import { blockRef, latest } from '../../codecs/blockRef.ts'
import { listEncoder } from '../../codecs/list.ts'
import { blockErrors } from '../../protocol/errorDocs.ts'
import { RpcError } from '../../protocol/fault.ts'
import { method, param } from '../../protocol/method.ts'
import { simulationInput } from '../../simulate/input.ts'
import { simulatedBlockObject } from '../../simulate/output.ts'
import { runBlocks } from '../../simulate/runBlocks.ts'

/** Not in Besu 23.10. */
export const eth_simulateV1 = method({
  name: 'eth_simulateV1',
  doc: 'Simulates blocks full of calls on the state of a block, with parts of blocks and accounts overridden.',
  needs: ['chain', 'evm'],
  params: [param('simulation', simulationInput), param('block', blockRef, { value: latest })],
  result: listEncoder(simulatedBlockObject),
  errors: [
    ...blockErrors,
    [-38010, 'A nonce is too low; -38011: too high.'],
    [-38012, 'A fee is below the base fee.'],
    [-38013, 'The gas of a call is less than it costs before it runs.'],
    [-38014, 'A sender cannot pay.'],
    [-38015, 'The calls of a block ask for more gas than it has.'],
    [-38020, 'Block numbers are not in order; -38021: timestamps.'],
    [-38026, 'Too many blocks.'],
  ],
  example: [
    { blockStateCalls: [{ calls: [{ to: '0x0000000000000000000000000000000000000004', input: '0x616263' }] }] },
    'latest',
  ],
  handler(ports, [input, block]) {
    const { chain } = ports
    const base = requireHeader(chain, block)
    const state = findState(chain, base)
    if (!state) throw new RpcError({ code: 'WORLD_STATE_UNAVAILABLE' })
    let totalDifficulty = chain.totalDifficulty(base.hash) ?? 0n
    return runBlocks(ports, base, state, input).map((simulated) => {
      totalDifficulty += simulated.header.difficulty
      const shown = { ...simulated, totalDifficulty, ommerHashes: [], full: input.fullTransactions }
      return { ...simulated, shown }
    })
  },
})
