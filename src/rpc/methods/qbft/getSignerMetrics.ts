import { getSignerMetrics } from '../../validators/getSignerMetrics.ts'

export const qbft_getSignerMetrics = getSignerMetrics('qbft')
