import { json } from '../../codecs/text.ts'
import type { MetricTree } from '../../protocol/context.ts'
import { method } from '../../protocol/method.ts'

export const debug_metrics = method({
  name: 'debug_metrics',
  doc:
    'What the node measures of itself, by category; `jvm` tells of the JavaScript runtime. Values of labels are members, ' +
    'times have `bucket`, `count` and `sum`.',
  needs: ['metrics'],
  params: [],
  result: json<MetricTree>({ type: 'object' }),
  handler: ({ metrics }) => metrics.tree(),
})
