import { integer } from '../../codecs/integer.ts'
import { cacheStatus } from '../../objects/cacheStatus.ts'
import { invalidParams } from '../../protocol/fault.ts'
import { method, optionalParam } from '../../protocol/method.ts'

export const admin_logsRepairCache = method({
  name: 'admin_logsRepairCache',
  doc: 'Starts checking the log index against the receipts of all blocks up to the given one (the head by default) and repairing it. Returns the status.',
  needs: ['chain', 'logIndex'],
  params: [optionalParam('startBlock', integer)],
  result: cacheStatus,
  errors: [[-32602, 'Block not found.']],
  handler({ chain, logIndex }, [block]) {
    const head = Number(chain.head.header.number)
    const upTo = block ?? head
    if (upTo < 0 || upTo > head) throw invalidParams(`block ${upTo} not found`)
    return logIndex.repair(upTo) ? 'Started' : 'Already running'
  },
})
