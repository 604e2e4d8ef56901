import { getSignerMetrics } from '../../validators/getSignerMetrics.ts'

export const ibft_getSignerMetrics = getSignerMetrics('ibft')
