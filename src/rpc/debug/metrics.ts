import { json } from '../codecs/text.ts'
import type { MetricTree } from '../context.ts'
import { method } from '../method.ts'

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
