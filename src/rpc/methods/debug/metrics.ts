import { json } from '../../codecs/text.ts'
import type { MetricTree } from '../../protocol/context.ts'
import { method } from '../../protocol/method.ts'

export const debug_metrics = method({
  name: 'debug_metrics',
  doc:
    'Returns the metrics of the node by category; `jvm` is the JavaScript runtime. Label values are members, histograms ' +
    'have `bucket`, `count` and `sum`.',
  needs: ['metrics'],
  params: [],
  result: json<MetricTree>({ type: 'object' }),
  handler: ({ metrics }) => metrics.tree(),
})
