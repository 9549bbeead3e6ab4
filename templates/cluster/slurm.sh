#!/usr/bin/env bash
# Workers as a Slurm array: sbatch --array=1-50 slurm.sh nats://host:4222
# They end by themselves when there was nothing to do for ten minutes; a job that the time limit cuts runs elsewhere again.
#SBATCH --job-name=twinrun
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=2G
#SBATCH --time=08:00:00
#SBATCH --signal=B:TERM@300
#SBATCH --requeue
set -euo pipefail
url=${1:?usage: sbatch --array=1-N slurm.sh NATS-URL}
# SIGTERM five minutes before the end drains the worker: what it runs is finished, the rest goes to others.
exec twinrun worker --nats "$url" --jobs "${SLURM_CPUS_PER_TASK:-1}" --idle 10m \
    --name "slurm-${SLURM_ARRAY_JOB_ID:-0}-${SLURM_ARRAY_TASK_ID:-0}" --folder "${TMPDIR:-/tmp}/twinrun-${SLURM_JOB_ID:-$$}"
