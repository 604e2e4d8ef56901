import type { PlacedLog } from '../../../chain/view.ts'
import { type Page, pageOf } from '../../blocks/page.ts'
import { pageSize } from '../../blocks/searchAccount.ts'
import { blockBelow, searchLogs } from '../../blocks/searchLogs.ts'
import { timesOf } from '../../blocks/timesOf.ts'
import { address, hash } from '../../codecs/bytes.ts'
import { cursor, cursorOf } from '../../codecs/cursor.ts'
import { integer } from '../../codecs/integer.ts'
import { record } from '../../codecs/record.ts'
import { logMembers } from '../../objects/log.ts'
import { method, optionalParam, param } from '../../protocol/method.ts'

type TimedLog = PlacedLog & { readonly timestamp: number }

const timedLog = record<TimedLog>('log', (member) => [
  ...logMembers,
  member('timestamp', integer, ({ timestamp }) => timestamp),
])

export const quoin_getEvents = method({
  name: 'quoin_getEvents',
  doc: 'Returns the logs of a contract, newest first, a page at a time; with a topic only those whose first topic it is.',
  needs: ['chain'],
  params: [
    param('address', address),
    param('pageSize', pageSize),
    optionalParam('before', cursor(2)),
    optionalParam('topic', hash),
  ],
  result: pageOf('logs', timedLog),
  example: ['0xfe3b557e8fb62b89f4916b721be55ceb828dbd73', 25],
  alike: ([, , , topic]) => (topic ? 'topic' : ''),
  handler({ chain }, [contract, size, before, topic]): Page<TimedLog> {
    const [block, logIndex] = before ?? []
    const isLater = (log: PlacedLog) => log.blockNumber === block && BigInt(log.logIndex) >= logIndex!
    const page = searchLogs<PlacedLog>({
      ...{ chain, size },
      conditions: [{ addresses: [contract], topics: topic ? [[topic]] : [] }],
      from: block,
      entriesOf: (log) => (isLater(log) ? [] : [log]),
      cursorOf: (last) => cursorOf(last.blockNumber, last.logIndex),
      cursorBelow: (number) => cursorOf(...blockBelow(number)),
    })
    const timeOf = timesOf(chain)
    return { ...page, entries: page.entries.map((log) => ({ ...log, timestamp: timeOf(log) })) }
  },
})
