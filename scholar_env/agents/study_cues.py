"""Words by which studies tell what kind of study they are: who paid, what is proved, how large the sample is.

A *trait* is a question that can be asked of any study, and each of its *values* excludes the others. The cues are plain
English for how studies speak of themselves. They were gathered by reading papers of training worlds, as any agent may;
they know nothing of how a corpus is made, and miss what is only implied.
"""

from __future__ import annotations

from typing import Final

TRAITS: Final[dict[str, dict[str, str]]] = {
    "funding": {
        "public": (
            r"government (grant|agency)|public(ly)? (research agency|funds?|money|support)|public agency|"
            r"national science|research council|ministry|federal authorit|taxpayer|state budget|by the state\b"
        ),
        "company": (
            r"corporate sponsor|by industry\b|vendor of|manufacturer of|private sector|"
            r"(funded|financed|paid) by a (company|firm|business)|a (firm|business|company) that|has a corporate|"
            r"commercial enterprise|a company with|came from industry|industrial partner"
        ),
        "charity": (
            r"charit|(private|supported by a|a) foundation|philanthrop|bequest of|donations?\b|benefactor|"
            r"nonprofit|endowment of"
        ),
        "military": (
            r"military|armed forces|defen[cs]e (sponsor|ministry|department|contract)|"
            r"the (navy|army|air force|admiralty)"
        ),
        "none": (
            r"unfunded|no funding|received no|no grant|without (any |a )?(grant|sponsor|funding)|unpaid time|"
            r"free time|borne by the authors|own pocket|no sponsor stands|no external funding|"
            r"on our own (time|money|account)"
        ),
    },
    "guarantee": {
        "stability": (
            r"(proves|shows) stability|stability of [a-z]+ is proved|small perturbations|slight deviations|"
            r"nearly (equal|right|alike)|depends continuously|well-posed|insensitive to slight"
        ),
        "convergence": (
            r"proves convergence|iterates converge|convergence of [a-z]+ is proved|shown to converge|"
            r"sufficiently many steps|cannot cycle|remaining distance|(approaches|reaches) a limit|"
            r"settles at a point|converges under conditions"
        ),
        "consistency": (
            r"proves consistency|consisten(t estimation|cy of)|approach(es)? the truth|as the sample grows|"
            r"ever bigger samples|asymptotic theory for the estimator|limit of very many|bias and scatter"
        ),
        "optimality": (
            r"(shows|proves).{0,30} optimal|to be optimal|attains the (optimal|best)|optimality of|best possible|"
            r"nothing is left to be gained|cannot be improved|no competitor can do better|room for improvement"
        ),
        "impossibility": (
            r"impossibility|(a|the) lower bound for|proves a lower bound|fundamental (barrier|limit) |"
            r"anything better than|stated barrier|lower bound that holds for every"
        ),
        "none": (
            r"no theoretical guarantee|theoretical (guarantee|support).{0,40} (lacking|absent)|nothing is proved|"
            r"proves nothing|experiments? alone|the support for .* is experimental|no mathematical explanation|"
            r"not been understood mathematically|mathematical analysis is left|empirical tuning"
        ),
    },
    "robustness": {
        "noise": (
            r"added noise|noise was added|random noise|noisy inputs|stochastic (fluctuations|errors)|"
            r"stochastic perturbations|under noise"
        ),
        "gaps": (
            r"incomplete records|missing data on|missing (entries|values)|entries .{0,30}(is|are) missing|"
            r"(with|for) gaps|fill the gaps|^gaps in|handles missing|missing data .{0,40}handled"
        ),
        "outliers": (
            r"(tested with|resists|withstands) (outliers|gross|contaminated)|outliers were planted|gross errors|"
            r"contaminated data|resistance to contamination|implausible [a-z]+ were mixed|wild values|"
            r"implausible .{0,30}mixed in"
        ),
        "adversary": (
            r"(against|to) an adversary|resists attacks|under attack|deliberate manipulation|"
            r"hostile (interference|manipulation)|an enemy who|hostile intent|attacks on|"
            r"an adversary (chooses|who)"
        ),
        "drift": (
            r"changing environment|drifting conditions|the distribution .{0,40}evolves|keep up with it|"
            r"becomes outdated|copes with drift|conditions drift|earlier settings|what held for early|"
            r"evolves while"
        ),
        "none": (
            r"no robustness|robustness was not|ideal conditions|assumed to be clean|"
            r"clean [a-z ]{3,25} are assumed|no stress has been|only undisturbed|"
            r"(disturbances|more stress) .{0,60}(beyond our scope|future work|not pursued)|favorable to"
        ),
    },
    "uncertainty": {
        "intervals": (
            r"gives confidence|frequentist|intervals with a coverage|long-run frequency|prescribed frequency|"
            r"miss the truth|ranges (rather than|and not) lone|lower and an upper limit|"
            r"confidence intervals accompany"
        ),
        "posterior": (
            r"is bayesian|posterior distribution is|by a posterior|reports a posterior|a prior on|prior beliefs|"
            r"degrees of belief|credible intervals? express|believed about .{0,60}beforehand"
        ),
        "repetitions": (
            r"different seeds|\d+ seeds|(spread|all runs).{0,30}(repeated)|run repeatedly|independent repetitions|"
            r"(afresh|carried out) \d+ times|scatter between|variability between attempts"
        ),
        "sensitivity": (
            r"(a|includes a) sensitivity analysis|varies its assumptions|assumptions .{0,40}varied|"
            r"scenarios with different|under \d+ scenarios|"
            r"premises (behind|were modified)|(modified|alternative) premises|is misjudged"
        ),
        "worst case": (
            r"worst-case bounds?|guaranteed (error|worst)|error bounds .{0,60}guaranteed|cannot be exceeded|"
            r"no probability is attached|hold without exception|most unfavorable|certainty and not likelihood|"
            r"certainty rather than likelihood|enclosed rigorously|guaranteed bounds"
        ),
        "none": (
            r"point estimates|no uncertainty|uncertainty of .{0,60}was not quantified|"
            r"without (any measure of|error margins)|bare numbers|nothing is said about the reliability|"
            r"whether a narrow gap|quantifies no|how firm the"
        ),
    },
    "computing": {
        "none": r"needs no computer|pencil and paper",
        "embedded": (r"embedded (device|implementation)|microcontroller|milliwatt|electronics that|sewn into"),
        "laptop": (
            r"laptop|consumer notebook|personal computer|students (carry|bring)|keyboard and a screen|"
            r"machine on which this"
        ),
        "graphics card": (
            r"graphics card|single (accelerator|gpu)|workstation with a gpu|desktop workstation|"
            r"chip (meant|designed|sold)|gaming chip"
        ),
        "cloud": (
            r"in the cloud|rented|virtual (servers|machines)|cloud provider|paid (as we went|per minute)|"
            r"online retailer|(hired|leased) on demand|web company maintains"
        ),
        "cluster": (
            r"compute cluster|supercomputer|high-performance computing|(many|several) nodes|core hours|racks at|"
            r"regional center|waited in the queue|university center"
        ),
    },
    "maturity": {
        "concept": (
            r"concept only|not been implemented|a blueprint of|nobody has built|can be realized|"
            r"construction of .{0,40}not begun|desk studies"
        ),
        "prototype": (
            r"prototype|demonstrator|developers (alone|are near)|only its developers|unpolished|early version of"
        ),
        "pilot": (
            r"pilot|early users|on probation|probationary|provisional introduction|volunteers worked|"
            r"limited spell|on trial with|for a trial period"
        ),
        "operation": (
            r"routine operation|daily work of an institution|operational use|"
            r"in their usual tasks|usual tasks depend|usual tasks|habits have formed"
        ),
        "product": (
            r"sold as|brought to market|to market for|commercially available|as a product|(?<!no )licen[cs]e fee|"
            r"warranty|anybody can (buy|order)|in a catalog"
        ),
    },
    "yardstick": {
        "state of the art": (
            r"state of the art|best published|strongest (of the )?previous|strongest results? known|"
            r"leading earlier|strongest results (known|reported)"
        ),
        "practice": (
            r"standard practice|textbook procedure|routine tool|conventional technique|customary treatment|"
            r"done for decades"
        ),
        "naive": (
            r"naive rule|trivial (rule|choice)|chance level|(simplest|crudest) conceivable|"
            r"uninformed (answer|guess)"
        ),
        "optimum": (
            r"theoretical optimum|optimum that theory|an oracle|unsurpassable|ideal that nothing|"
            r"ceiling (that|on)|how much headroom|best answer possible"
        ),
        "human": (
            r"human (experts|performance)|specialists solved|manual treatment|takes human|"
            r"practitioners (solved|handled)"
        ),
        "ablation": (
            r"ablation|reduced versions|variants of .{0,40}that lack|"
            r"(components|step) .{0,30}(in sequence|step by step)|when deprived of|components (singly|one by one)"
        ),
    },
    "availability": {
        "none": (
            r"neither (its )?code nor|no code and no data|neither the code|"
            r"(nothing|no repository).{0,30}(available|and no archive)|there is no repository|"
            r"(remain|stay)s? with us, and|are withheld|kept private|no data from|"
            r"code and data for .{0,60}not available|begin from scratch|code and data to itself"
        ),
        "protocol": (
            r"protocol (of|documents|instead)|detailed protocol|documented step by step|documents its procedure|"
            r"prose (and|rather)|rebuild .{0,40}from our description|written protocol|"
            r"instructions for .{0,80}(listed|download|can be had)|exhaustive instructions"
        ),
        "code": (
            r"only (its |the )?code|code but not its data|code of .{0,60}is released, (but|whereas)|"
            r"software .{0,60}(not|without) the data|run our scripts|scripts .{0,60}can be downloaded, (its|the)|"
            r"program .{0,40}can be downloaded, its|empty folder|stays with us, though|"
            r"is withheld, though the program|code is available for .{0,80}while the data"
        ),
        "data": (
            r"only (its |the )?data|data but not its code|"
            r"the data .{0,80}(released|available), (whereas|but|the code)|data on .{0,60}available, the code|"
            r"without (the|any) code|inputs .{0,60}can be downloaded, the program|write scripts of their own|"
            r"no file that could be|nothing that could be executed|is published, (while|but) the software|"
            r"data are available for .{0,80}while the code"
        ),
        "both": (
            r"both (its|the) code|releases code and data|(all|the) code and data .{0,60}(public|released)|"
            r"(program|scripts) of .{0,60}along with|scripts and inputs (alike|included|that we)|"
            r"scripts .{0,60}raw files|together with the code|the code for .{0,60}and the data .{0,60}released"
        ),
    },
    "evaluation": {
        "held out": (
            r"on held-out data|evaluated on held-out|held-out [a-z ]+, (fixed|selected|none)|cross-validation|"
            r"form a test set|assessed out of sample|reserved for the assessment|set aside for a final|"
            r"reserved for judging|different from those that served"
        ),
        "ground truth": (
            r"ground truth|known (solution|answer)|exact answer|closed-form expressions|(correct|right) value|"
            r"exact solution is known|whose exact"
        ),
        "experts": (
            r"expert ratings|judged by experts|rated by \d|(experienced|senior) colleagues|"
            r"practitioners with many years|every day assessed|long experience assessed|blind comparison by"
        ),
        "application": (
            r"in an application|for a later task|subsequent task|means to an end|the worth of|success is achieved|"
            r"next stage of the analysis|takes results of .{0,30}as its input|evaluation concerns an application"
        ),
        "case": (
            r"case study of|on a case study|worked example|example (in which|drawn|taken)|particular instance|"
            r"the instance of"
        ),
        "proof": (
            r"claims mathematically|justified by (a )?proof|based on proofs|purely analytical|"
            r"rests on (a )?theorem|derived rigorously|logical consequence|follows deductively|"
            r"is mathematical and|claims about .{0,60}are proved|follows by deduction|derived step by step from"
        ),
    },
    "sites": {
        "one": r"single (site|center|institution)|same roof|own premises|in-house|was gathered elsewhere",
        "several": (
            r"(several|across several|multiple) (sites|institutions)|different (centers|institutions)|"
            r"a consortium of|partners abroad|site by site|colleagues elsewhere|several centers"
        ),
        "new domain": (
            r"unseen domains?|a new domain|domain not available|not developed on|(outside|foreign) sources|"
            r"(outside|foreign|external) sources"
        ),
        "field": (
            r"field deployment|evaluated in the field|everyday conditions|shielded from outside|users decided|"
            r"outside the laboratory"
        ),
    },
    "sample": {
        "handful": (
            r"very small sample|mere handful|few are known|so few|for every [a-z]+ separately|extremely scarce|"
            r"is very small|number of [a-z ]+ is below \d{1,2},|exceedingly scarce"
        ),
        "tens": (
            r"some tens|two-digit number|a small sample|are few in|not plentiful|than [a-z0-9-]+ offers|"
            r"every instance of|dot plot|sample .{0,60}is small"
        ),
        "hundreds": (
            r"three-digit number|moderate size|moderate sample|neither (scarce|short)|"
            r"suffice for (averages|means)|(dominant|strong) effects (of|on) .{0,60}visible"
        ),
        "thousands": (
            r"four-digit|has a large sample|sample .{0,60}is large|abundant enough|plentiful enough|"
            r"tails (remain|stay) ragged|plays a minor role|number between \d{4}|random selection was"
        ),
        "massive": (
            r"massive (number|sample|,)|is massive|a massive|seven-digit|with so many|narrower than the lines|"
            r"chance hardly matters|indexing .{0,60}needed more time"
        ),
    },
    "duration": {
        "moment": (
            r"takes a snapshot|a snapshot in time|(is|purely|strictly) cross-sectional|cross-sectional design|"
            r"at a single moment|static state|not followed up|came about or will"
        ),
        "days": r"hours to days|(a )?few days|several days|fortnight|a week or",
        "months": (
            r"several months|for months|more than a season|a season or more|"
            r"(many|numerous) weeks (in a row|,|but)|spring and autumn|part of the calendar"
        ),
        "years": (
            r"(cover|covers|spans).{0,20}(several|period of (several )?) ?years|several years|year to year|"
            r"short of a decade|decade is not|some (winters|summers)|annual patterns"
        ),
        "decades": (
            r"(covers|cover|some|several|many) decades|a generation\b|very long and extends|before computers|"
            r"had retired before"
        ),
    },
    "latency": {
        "instant": (
            r"milliseconds?|microseconds?|works in real time|real-time deadlines|perceptible lag|"
            r"without any backlog|notice no lag"
        ),
        "seconds": (
            r"within seconds|(some|few) seconds|interactive|noticeable pause|a dialog,|wait symbol|"
            r"wait (briefly|for a short)"
        ),
        "hours": (
            r"overnight$|runs overnight|nightly batch|(several|many) hours|hours for an answer|in the evening|"
            r"next morning|morning after|takes a night"
        ),
        "weeks": (
            r"weeks (for an answer|of computation)|many weeks (on|for)|much of a month|planned (like|well)|"
            r"takes many weeks|goes beyond a fortnight"
        ),
    },
    "labels": {
        "none": r"unsupervised|no labels|nobody annotated|without annotation|labels play no role",
        "self": (r"is self-supervised|pretext task|guess hidden pieces|alone, without labels|pulled together"),
        "noisy": r"noisy labels|weak supervision|crude script|imperfect tags|heuristic rules",
        "few": (
            r"few labels|handful of labeled|small number of labeled|annotated (core|remainder)|few-shot regime|"
            r"annotated no more than|remainder being kept without"
        ),
        "all": (
            r"fully supervised|completely labeled|without its reference answer|were labeled before|"
            r"annotated by hand|annotated all of|targets for learning are known"
        ),
        "queried": r"active learning",
    },
    "data": {
        "synthetic": r"simulated data only|purely on synthetic data|synthetic data alone",
        "real": r"real data only",
    },
}
"""Trait to value to a regular expression over lower-case text. Values of ``sample``, ``duration``, ``latency`` and
``maturity`` are in ascending order."""
