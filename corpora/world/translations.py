"""Chinese names of the world's countries and topics, as researchers write them."""

from __future__ import annotations


def _pairs(text: str) -> dict[str, str]:
    """Read entries `English=Chinese`, separated by semicolons or line breaks."""
    entries = (entry.strip() for line in text.splitlines() for entry in line.split(";"))
    return dict(entry.split("=", 1) for entry in entries if entry)


COUNTRIES = _pairs("""
    China=中国; Japan=日本; South Korea=韩国; Russia=俄罗斯; Greece=希腊; Egypt=埃及; Saudi Arabia=沙特阿拉伯
    Germany=德国; Austria=奥地利; Switzerland=瑞士; France=法国; Spain=西班牙; Mexico=墨西哥; Argentina=阿根廷
    Italy=意大利; Brazil=巴西; Portugal=葡萄牙; Poland=波兰; Turkey=土耳其; India=印度; Vietnam=越南
    Netherlands=荷兰; Sweden=瑞典; Norway=挪威; Denmark=丹麦; Finland=芬兰; Czech Republic=捷克; Hungary=匈牙利
    Romania=罗马尼亚; Nigeria=尼日利亚; Kenya=肯尼亚; United Kingdom=英国; United States=美国; Canada=加拿大
    Australia=澳大利亚
""")
"""English name of a country -> Chinese name."""

TOPICS = _pairs("""
    natural language processing=自然语言处理; computer vision=计算机视觉; information retrieval=信息检索
    industrial organization=产业组织; labor economics=劳动经济学; monetary and fiscal policy=货币与财政政策
    audio and speech processing=音频与语音处理; wireless and radar signal processing=无线与雷达信号处理
    control of power systems and vehicles=电力系统与车辆控制; combinatorics=组合数学
    numerical analysis=数值分析; optimization and control=优化与控制; fluid dynamics=流体力学
    astrophysics of galaxies=星系天体物理; condensed matter and materials physics=凝聚态与材料物理
    genomics=基因组学; systems neuroscience=系统神经科学; populations and evolution=种群与进化
    portfolio choice and asset pricing=投资组合与资产定价; financial risk management=金融风险管理
    trading and market microstructure=交易与市场微观结构
    spatial epidemiology and environmental statistics=空间流行病学与环境统计; Bayesian computation=贝叶斯计算
    statistical methodology=统计方法学; multidisciplinary=综合性

    back-translation=回译; chain-of-thought prompting=思维链提示; conditional random fields=条件随机场
    in-context learning=上下文学习; instruction tuning=指令微调; low-rank adaptation=低秩适配
    masked language modeling=掩码语言建模; retrieval-augmented generation=检索增强生成
    coreference resolution=共指消解; dialog state tracking=对话状态跟踪; grammatical error correction=语法纠错
    hallucination detection=幻觉检测; hate speech detection=仇恨言论检测; machine translation=机器翻译
    named entity recognition=命名实体识别; natural language inference=自然语言推理
    dependency parsing=依存句法分析; reading comprehension=阅读理解; arithmetic reasoning=算术推理
    relation extraction=关系抽取; aspect-based sentiment analysis=方面级情感分析
    abstractive summarization=生成式摘要

    latent diffusion models=潜在扩散模型; neural radiance fields=神经辐射场; vision transformers=视觉Transformer
    action recognition=动作识别; visual anomaly detection=视觉异常检测; change detection=变化检测
    monocular depth estimation=单目深度估计; object detection=目标检测
    fine-grained visual classification=细粒度图像分类; novel view synthesis=新视角合成
    human pose estimation=人体姿态估计; person re-identification=行人重识别; adversarial robustness=对抗鲁棒性
    semantic segmentation=语义分割; image super-resolution=图像超分辨率; multi-object tracking=多目标跟踪

    contextual bandits=上下文赌博机; cross-encoder reranking=交叉编码器重排序; matrix factorization=矩阵分解
    product quantization=乘积量化; pseudo-relevance feedback=伪相关反馈; learned sparse retrieval=学习型稀疏检索
    ad hoc document retrieval=即席文档检索; cross-lingual information retrieval=跨语言信息检索
    cold-start recommendation=冷启动推荐; conversational search=对话式搜索
    search result diversification=搜索结果多样化; fair exposure allocation=曝光公平性
    query performance prediction=查询性能预测; sequential recommendation=序列推荐
    efficient query processing=高效查询处理; technology-assisted review=技术辅助审阅
    unbiased learning to rank=无偏排序学习; test collection construction=测试集构建

    algorithmic pricing=算法定价; auction analysis=拍卖分析; collusion detection=合谋检测
    demand estimation=需求估计; entry and exit analysis=进入与退出分析; innovation incentives=创新激励
    markup estimation=加成率估计; merger evaluation=并购评估; platform pricing=平台定价
    vertical restraint assessment=纵向限制评估; price dispersion under consumer search=消费者搜寻下的价格离散
    cost pass-through measurement=成本传导测度

    difference-in-differences=双重差分; instrumental variables=工具变量; regression discontinuity=断点回归
    synthetic control=合成控制; causal forests=因果森林; hiring discrimination detection=招聘歧视检测
    job displacement losses=失业损失; gender wage gap decomposition=性别工资差距分解
    minimum wage incidence=最低工资归宿; wage inequality accounting=工资不平等核算
    immigration impact assessment=移民影响评估; returns to education=教育回报
    household labor supply=家庭劳动供给; unemployment insurance design=失业保险设计
    monopsony power measurement=买方垄断势力测度; automation exposure measurement=自动化暴露测度
    active labor market policy evaluation=积极劳动力市场政策评估

    local projections=局部投影; dynamic factor models=动态因子模型; central bank communication=央行沟通
    business cycle accounting=经济周期核算; public debt sustainability=公共债务可持续性
    GDP nowcasting=GDP即时预测; exchange rate pass-through=汇率传导
    inflation expectation formation=通胀预期形成; fiscal multiplier estimation=财政乘数估计
    natural rate estimation=自然利率估计; Phillips curve estimation=菲利普斯曲线估计
    monetary rule design=货币政策规则设计; quantitative easing evaluation=量化宽松评估
    international policy spillovers=国际政策溢出; monetary policy transmission=货币政策传导
    distributional effects of policy=政策的分配效应

    automatic speech recognition=自动语音识别; dereverberation=去混响; speaker diarization=说话人日志
    speech enhancement=语音增强; keyword spotting=关键词唤醒; sound source localization=声源定位
    pathological speech assessment=病理语音评估; sound event detection=声音事件检测
    speaker separation=说话人分离; speech emotion recognition=语音情感识别
    spoofing countermeasures=语音欺骗对抗; speaker verification=说话人确认; text-to-speech synthesis=语音合成
    voice conversion=语音转换; self-supervised speech representations=自监督语音表示

    compressed sensing=压缩感知; Kalman filtering=卡尔曼滤波; tensor decomposition=张量分解
    deep reinforcement learning=深度强化学习; wireless resource allocation=无线资源分配
    beamforming design=波束成形设计; channel estimation=信道估计; array bearing estimation=阵列测向
    radar image formation=雷达成像; interference mitigation=干扰抑制
    automatic modulation recognition=自动调制识别; radio positioning=无线定位; spectrum sensing=频谱感知
    symbol detection=符号检测; radar target detection=雷达目标检测; multitarget tracking=多目标追踪
    contactless vital sign monitoring=非接触生命体征监测

    model predictive control=模型预测控制; adaptive control=自适应控制; sliding mode control=滑模控制
    attack-resilient control=抗攻击控制; damping of electromechanical oscillations=机电振荡阻尼
    eco-driving=生态驾驶; fault diagnosis=故障诊断; load frequency control=负荷频率控制
    energy management=能量管理; trajectory tracking=轨迹跟踪; vehicle platooning=车辆编队
    collision avoidance=避碰; dynamic state estimation=动态状态估计; transient stability assessment=暂态稳定评估
    voltage regulation=电压调节

    additive structure of sets=集合的加性结构; pattern avoidance=模式回避; graph coloring=图着色
    edge-disjoint decompositions=边不交分解; existence of combinatorial designs=组合设计的存在性
    exact enumeration=精确计数; spectral gap estimation=谱隙估计; Hamiltonicity=哈密顿性
    intersecting families=相交族; Ramsey theory=拉姆齐理论
    log-concavity of combinatorial sequences=组合序列的对数凹性
    threshold phenomena in random structures=随机结构的阈值现象; Turán-type extremal problems=图兰型极值问题
    generating functions=生成函数; flag algebras=旗代数

    multigrid methods=多重网格法; finite volume schemes=有限体积格式; domain decomposition=区域分解
    residual-based error estimation=残量误差估计; eigenvalue computation=特征值计算
    numerical homogenization=数值均匀化; stable solution of inverse problems=反问题的稳定求解
    model order reduction=模型降阶; robust preconditioning=鲁棒预处理; numerical quadrature=数值求积
    structure-preserving discretization=保结构离散; time integration=时间积分
    discretization of boundary value problems=边值问题离散
    solution of large sparse linear systems=大型稀疏线性方程组求解
    solution of nonlinear algebraic systems=非线性代数方程组求解
    forward uncertainty propagation=前向不确定性传播

    bilevel optimization=双层优化; composite minimization=复合极小化
    distributed consensus optimization=分布式一致性优化; optimal control=最优控制
    finite-sum minimization=有限和极小化; mixed-integer linear programming=混合整数线性规划
    nonsmooth convex minimization=非光滑凸极小化; polynomial optimization=多项式优化
    robust optimization=鲁棒优化; optimal transport=最优传输; two-stage stochastic programming=两阶段随机规划
    variational inequalities=变分不等式; stochastic gradient descent=随机梯度下降; interior-point methods=内点法
    mirror descent=镜像下降

    direct numerical simulation=直接数值模拟; large-eddy simulation=大涡模拟
    droplet and bubble breakup=液滴与气泡破碎; subgrid closure modeling=亚格子闭合建模
    turbulent drag reduction=湍流减阻; convective heat transfer=对流换热; turbulent scalar mixing=湍流标量混合
    aeroacoustic noise generation=气动噪声产生; flow field reconstruction=流场重构
    inertial particle dispersion=惯性颗粒弥散; flow separation control=流动分离控制
    vortex shedding suppression=涡脱落抑制; laminar-turbulent transition=层流湍流转捩
    physics-informed neural networks=物理信息神经网络

    hierarchical mass assembly=等级质量聚集; dust attenuation=尘埃消光; bar formation=棒结构形成
    supermassive black hole growth=超大质量黑洞增长; circumgalactic gas cycling=环星系气体循环
    galaxy quenching=星系淬灭; chemical enrichment=化学增丰; dark matter halo structure=暗物质晕结构
    galactic outflows=星系外流; photometric redshift estimation=测光红移估计; star cluster formation=星团形成
    star formation efficiency=恒星形成效率; strong lens modeling=强引力透镜建模; N-body simulation=N体模拟

    density functional theory=密度泛函理论; charge density wave order=电荷密度波序
    point defect formation=点缺陷形成; exciton dynamics=激子动力学; ferroelectric switching=铁电翻转
    magnetic frustration=磁阻挫; solid-state ion transport=固态离子输运
    metal-insulator transition=金属-绝缘体转变; lattice heat transport=晶格热输运
    structural phase stability=结构相稳定性; unconventional superconductivity=非常规超导
    thermoelectric conversion=热电转换; topological surface states=拓扑表面态; Raman spectroscopy=拉曼光谱

    genome assembly=基因组组装; variant calling=变异检测; clonal reconstruction=克隆重建
    enhancer mapping=增强子定位; differential expression analysis=差异表达分析
    gene regulatory network inference=基因调控网络推断; genome-wide association=全基因组关联
    isoform quantification=转录本定量; metagenomic profiling=宏基因组分析
    structural variant detection=结构变异检测; trajectory inference=轨迹推断; cell type annotation=细胞类型注释
    variant effect prediction=变异效应预测; nanopore sequencing=纳米孔测序; linear mixed models=线性混合模型

    excitation-inhibition balance=兴奋抑制平衡; functional connectivity estimation=功能连接估计
    memory consolidation=记忆巩固; movement decoding=运动解码; perceptual decision making=知觉决策
    receptive field mapping=感受野映射; seizure prediction=癫痫发作预测; spatial navigation=空间导航
    spike sorting=锋电位分类; two-photon calcium imaging=双光子钙成像
    transcranial magnetic stimulation=经颅磁刺激

    abundance estimation=丰度估计; species coexistence=物种共存; population cycles=种群周期
    epidemic forecasting=疫情预测; demographic history inference=种群历史推断
    phylogenetic reconstruction=系统发育重建; drug resistance evolution=耐药性进化
    species distribution modeling=物种分布建模; detection of natural selection=自然选择检测
    food web stability=食物网稳定性; vaccine allocation=疫苗分配; early warning of regime shifts=稳态转换预警
    transmissibility estimation=传播力估计; compartmental models=仓室模型

    statistical arbitrage=统计套利; cross-sectional asset pricing=横截面资产定价
    sustainable investing=可持续投资; household portfolio behavior=家庭资产配置行为
    life-cycle asset allocation=生命周期资产配置; momentum investing=动量投资
    mean-variance portfolio selection=均值方差组合选择; fund performance evaluation=基金绩效评价
    cost-aware rebalancing=考虑成本的再平衡; term premium estimation=期限溢价估计
    equity premium prediction=股权溢价预测; variance risk premium estimation=方差风险溢价估计
    factor model selection=因子模型选择

    GARCH models=GARCH模型; extreme value theory=极值理论; deep hedging=深度对冲
    portfolio risk budgeting=组合风险预算; climate risk assessment=气候风险评估
    counterparty credit risk=交易对手信用风险; stress testing=压力测试
    corporate default prediction=企业违约预测; expected shortfall backtesting=预期损失回测
    systemic risk measurement=系统性风险测度; hedging under market frictions=市场摩擦下的对冲
    loss given default estimation=违约损失率估计; funding liquidity management=融资流动性管理
    operational risk capital modeling=操作风险资本建模; value-at-risk forecasting=风险价值预测

    Hawkes processes=霍克斯过程; mean field games=平均场博弈; trading mechanism design=交易机制设计
    price discovery measurement=价格发现测度; optimal execution=最优执行
    high-frequency trading evaluation=高频交易评估; price impact estimation=价格冲击估计
    liquidity measurement=流动性测度; limit order book modeling=限价订单簿建模; market making=做市
    short-horizon price prediction=短期价格预测; smart order routing=智能订单路由
    market abuse surveillance=市场操纵监测; informed trading detection=知情交易检测

    random forests=随机森林; health impact assessment=健康影响评估; spatial cluster detection=空间聚集检测
    environmental inequality assessment=环境不平等评估; exposure assessment=暴露评估; disease mapping=疾病制图
    environmental extreme value analysis=环境极值分析; infectious disease forecasting=传染病预测
    estimation of chronic exposure effects=慢性暴露效应估计; epidemic nowcasting=疫情即时估计
    evaluation of environmental regulation=环境规制评估; prevalence mapping=患病率制图
    source apportionment=源解析; estimation of acute environmental effects=急性环境效应估计
    syndromic surveillance=症状监测; environmental trend assessment=环境趋势评估

    approximate Bayesian computation=近似贝叶斯计算; Gibbs sampling=吉布斯采样
    Hamiltonian Monte Carlo=哈密顿蒙特卡洛; variational inference=变分推断
    predictive model assessment=预测模型评估; Bayesian experimental design=贝叶斯实验设计
    convergence assessment=收敛性评估; doubly intractable inference=双重难解推断
    marginal likelihood estimation=边际似然估计; filtering and smoothing=滤波与平滑
    Bayesian inverse problems=贝叶斯反问题; likelihood-free inference=无似然推断
    latent Gaussian inference=潜高斯推断; exploration of multimodal targets=多峰目标探索
    posterior sampling=后验采样; posterior inference for massive data=海量数据后验推断
    transdimensional inference=跨维推断; variance reduction=方差缩减

    conformal prediction=共形预测; bootstrap=自助法; multiple imputation=多重插补
    quantile regression=分位数回归; Gaussian process regression=高斯过程回归
    Mendelian randomization=孟德尔随机化; treatment effect estimation=处理效应估计
    change point detection=变点检测; adaptive trial design=适应性试验设计
    functional data analysis=函数型数据分析; high-dimensional variable selection=高维变量选择
    longitudinal data analysis=纵向数据分析; evidence synthesis=证据综合
    measurement error correction=测量误差校正; inference with missing data=缺失数据推断
    small area estimation=小区域估计; spatial prediction=空间预测; survival analysis=生存分析
    multiple hypothesis testing=多重假设检验
""")
"""English name of a topic or field -> Chinese name; topics that are not here are called by their English name."""
