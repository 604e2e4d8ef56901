import { getSignerMetrics } from '../shared/getSignerMetrics.ts'

export const qbft_getSignerMetrics = getSignerMetrics('qbft')
