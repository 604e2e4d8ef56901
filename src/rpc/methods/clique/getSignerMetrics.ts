import { getSignerMetrics } from '../shared/getSignerMetrics.ts'

export const clique_getSignerMetrics = getSignerMetrics('clique')
