import { getSignerMetrics } from '../shared/getSignerMetrics.ts'

export const ibft_getSignerMetrics = getSignerMetrics('ibft')
