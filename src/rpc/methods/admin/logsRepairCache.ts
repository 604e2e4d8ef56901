import { integer } from '../../codecs/integer.ts'
import { cacheStatus } from '../../objects/cacheStatus.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, optionalParam } from '../../protocol/method.ts'

export const admin_logsRepairCache = method({
  name: 'admin_logsRepairCache',
  doc: 'Starts to check the log index of all blocks up to one (the head) against their receipts, and to put it right.',
  needs: ['chain', 'logIndex'],
  params: [optionalParam('startBlock', integer)],
  result: cacheStatus,
  errors: [[-32602, 'There is no such block.']],
  handler({ chain, logIndex }, [block]) {
    const head = Number(chain.head.header.number)
    const upTo = block ?? head
    if (upTo < 0 || upTo > head) throw invalidParams(`there is no block ${upTo}`)
    return logIndex.repair(upTo) ? 'Started' : 'Already running'
  },
})
