import { getSignerMetrics } from '../authority/signerMetrics.ts'

export const ibft_getSignerMetrics = getSignerMetrics('ibft')
export const qbft_getSignerMetrics = getSignerMetrics('qbft')
