"""`groundswell tune CASE.toml --mpi A,B`: the same case by builds of the program with different MPI libraries, in turns."""

import contextlib
import dataclasses
import json
import math
import pathlib
import subprocess
import time

from groundswell import report
from groundswell.arguments import check_target
from groundswell.builds_cli import program_of, words_of
from groundswell.errors import refuse
from groundswell.report import length_text, time_text
from groundswell.scale.command import envelope
from groundswell.trials.case import read_case, with_steps
from groundswell.trials.launcher import launcher_of
from groundswell.trials.length import SHORTEST, calibrate, parse_length
from groundswell.trials.machine import this_machine
from groundswell.trials.program import using
from groundswell.trials.runner import Runner
from groundswell.trials.setting import Setting, parse_baseline
from groundswell.trials.spread import statistic
from groundswell.trials.stop import INTERRUPTED, exit_code_of
from groundswell.tune.groups import EXCHANGE, default_setting
from groundswell.tune.judge import paired
from groundswell.tune.race import LEVEL, gain_of
from groundswell.whole_files import write_text

FEWEST, USUAL, MOST = 3, 10, 30  # rounds
LONGEST = 20.0  # s, of a trial


@dataclasses.dataclass(frozen=True)
class Player:
    """A build of the program: its name on the command line, its path, the machine as it sees it, and how its ranks are started."""

    name: str
    path: pathlib.Path
    machine: object
    launcher: object

    @property
    def mpi(self):
        return f"{self.machine.mpi_name} {self.machine.version}"


def players_of(options):
    players = []
    for word in words_of(options.mpi, "--mpi"):
        path, _ = program_of(word, "--mpi")
        with using(path):
            machine = this_machine()
        players.append(Player(word, path, machine, launcher_of(machine.mpi_name, options.launcher)))
    return players


def setting_for(options, players, case):
    """One for all: ranks, threads and binding are not what is compared."""
    binding = "close" if all(player.launcher.bindings() for player in players) else "none"
    cores = options.cores or min(player.machine.cores for player in players)
    found = default_setting(case, cores, binding)
    if options.baseline is None:
        return found
    ranks, threads, given = parse_baseline(options.baseline)
    return Setting(ranks, threads, given or binding)


class Contest:
    """Trials in rounds: every build once in each, in an order that turns."""

    def __init__(self, players, runners, setting, length, say):
        self.players, self.runners = players, runners
        self.setting, self.length, self.say = setting, length, say
        self.rounds = []  # [one Trial of each player]

    def trial(self, number, keep=False):
        with using(self.players[number].path):
            return self.runners[number].run(self.setting, self.length, keep=keep)

    def round(self):
        trials = [None] * len(self.players)
        for place in range(len(self.players)):
            number = (place + len(self.rounds)) % len(self.players)
            self.say(f"round {len(self.rounds) + 1}: {self.players[number].name}")
            trials[number] = self.trial(number)
            if trials[number].problem:
                player = self.players[number]
                refuse(
                    "command line",
                    "--mpi",
                    player.name,
                    f"a build whose runs work here: {trials[number].problem}",
                )
        self.rounds.append(trials)

    def run(self, budget):
        """As many rounds as the budget has time for, which the user may cut short; whether that was so."""
        begin = time.monotonic()
        try:
            while len(self.rounds) < MOST:
                spent = time.monotonic() - begin
                if len(self.rounds) >= FEWEST and spent * (1 + 1 / len(self.rounds)) > budget:
                    break
                self.round()
        except KeyboardInterrupt:
            return True
        return False


def compared(rounds):
    """Each player but the first compared with the first: {"gain", "exchange_gain", "difference"} from the pairs of every round."""
    found = []
    for other in range(1, len(rounds[0])):
        level = 1 - (1 - LEVEL) / (len(rounds[0]) - 1)
        pairs = [(trials[0], trials[other]) for trials in rounds]
        estimate, _ = paired([math.log(b.seconds / a.seconds) for a, b in pairs])
        exchange = [(a.share(*EXCHANGE) * a.seconds, b.share(*EXCHANGE) * b.seconds) for a, b in pairs]
        some = all(a > 0 and b > 0 for a, b in exchange)
        messages = paired([math.log(b / a) for a, b in exchange])[0] if some else None
        found.append(
            {
                "gain": gain_of(estimate, level),
                "exchange_gain": gain_of(messages, level) if some else None,
                "difference": estimate.high(level) < 0 or estimate.low(level) > 0,
            }
        )
    return found


def same_bits(contest):
    """For each player but the first: whether its files hold what the first one's hold; None where there are none."""
    trials = [contest.trial(number, keep=True) for number in range(len(contest.players))]
    first, *others = trials
    found = []
    for other in others:
        if first.problem or other.problem or not list(first.folder.glob("*.nc")):
            found.append(None)
            continue
        words = [contest.players[0].path, "compare", first.folder, other.folder]
        answer = subprocess.run([str(word) for word in words], check=False, capture_output=True)
        found.append({0: True, 1: False}.get(answer.returncode))
    return found


def result_of(contest, case, stopped, bits):
    rows = []
    for number, player in enumerate(contest.players):
        trials = [trials[number] for trials in contest.rounds]
        rows.append(
            {
                "name": player.name,
                "program": str(player.path),
                "mpi": player.mpi,
                "transport": player.machine.transport,
                "launcher": " ".join(map(str, player.launcher.words(contest.setting))),
                "seconds": statistic([trial.seconds for trial in trials]),
                "exchange_seconds": statistic([trial.share(*EXCHANGE) * trial.seconds for trial in trials]),
                "start_up_seconds": statistic([trial.start_up for trial in trials]),
            }
        )
    for row, comparison, equal in zip(rows[1:], compared(contest.rounds), bits):
        row.update(comparison, same_bits=equal)
    return {
        "libraries": rows,
        "case": case.path,
        "model": case.model,
        "settings": contest.setting.described(),
        "rounds": len(contest.rounds),
        "simulated_seconds": contest.length,
        "interrupted": stopped,
        "problems": list(contest.players[0].machine.problems),
    }


def text_of(result):
    first = result["libraries"][0]
    lines = [
        [
            "",
            "MPI",
            "seconds",
            "exchange",
            "start-up",
            f"faster than {first['name']} by",
            "exchange by",
            "bits",
        ]
    ]
    bits = {True: "the same", False: "DIFFER", None: "not compared"}

    def percent(gain):
        return f"{100 * gain['low']:+.1f} … {100 * gain['high']:+.1f} %" if gain else ""

    for row in result["libraries"]:
        line = [row["name"], row["mpi"]]
        line += [f"{row[key]['mean']:.3g}" for key in ("seconds", "exchange_seconds", "start_up_seconds")]
        if row is not first:
            sure = "" if row["difference"] else ", not sure"
            line += [percent(row["gain"]) + sure, percent(row["exchange_gain"]), bits[row["same_bits"]]]
        lines.append(line)
    return (
        f"{length_text(result['simulated_seconds'])} of {result['case']}, {result['rounds']} rounds in turns\n{report.table(lines)}\n"
        "intervals: 95 %, of all comparisons together"
    )


def compare_libraries(options, budget):
    """The exit code."""
    return exit_code_of(lambda given: compared_libraries(given, budget), options)


def compared_libraries(options, budget):
    progress = report.Progress(not options.quiet and options.json != "-")
    check_target("--json", options.json)
    begin = time.monotonic()
    players = players_of(options)
    with using(players[0].path):
        case = read_case(options.case, options.set)
        setting = setting_for(options, players, case)
        progress.update("reading the case")
        case = with_steps(case, players[0].launcher.words(setting))
    with contextlib.ExitStack() as stack:
        runners = [stack.enter_context(Runner(case, one.launcher, options.scratch)) for one in players]
        contest = Contest(players, runners, setting, 0.0, progress.update)

        def first_trial(given, length):
            with using(players[0].path):
                return runners[0].run(given, length)

        if options.simulate:
            contest.length = parse_length(options.simulate, case)
        else:
            seconds = min(LONGEST, max(SHORTEST, 0.6 * budget / (USUAL * len(players))))
            contest.length, _ = calibrate(case, setting, seconds, first_trial)
        stopped = contest.run(budget - (time.monotonic() - begin))
        if not contest.rounds:
            refuse("tune", "--mpi", None, "one round that ends before it is stopped")
        bits = [None] * (len(players) - 1) if stopped else same_bits(contest)
    result = result_of(contest, case, stopped, bits)
    frame = envelope(result, players[0].machine, "tune")
    if options.json == "-":
        print(json.dumps(frame, indent=1))
    else:
        if options.json:
            write_text(options.json, json.dumps(frame, indent=1) + "\n")
        progress.done(f"compared in {time_text(time.monotonic() - begin)}")
        print(text_of(result))
    return INTERRUPTED if stopped else 0
